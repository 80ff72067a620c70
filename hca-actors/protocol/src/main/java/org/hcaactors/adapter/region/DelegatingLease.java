// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/** Lease that adds a property to a plain lease on the same region. */
interface DelegatingLease extends Lease {
    RegionLease plain();

    @Override
    default long grant() {
        return plain().grant();
    }

    @Override
    default int key() {
        return plain().key();
    }

    @Override
    default Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
        return plain().answer(user, from, count, right);
    }

    @Override
    default void load(long from, byte[] target, int targetOffset, int count) {
        plain().load(from, target, targetOffset, count);
    }

    @Override
    default void store(long to, Octets source, int sourceOffset, int count) {
        plain().store(to, source, sourceOffset, count);
    }

    @Override
    default AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
        return plain().update(at, atomic, unit);
    }

    @Override
    default void release() {
        plain().release();
    }
}
