// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** Lease on a region. */
record RegionLease(long grant, Region region, Origin origin) implements Lease {
    @Override
    public int key() {
        return region.key();
    }

    @Override
    public Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
        if (region.domain() != user.domain()) {
            return new Denied(new Denial.ForeignDomain(region.domain(), user.domain()));
        }
        if (count != 0 && !region.covers(from, count)) {
            return new Denied(new Denial.OutOfRange(region.address(), region.lengthBytes(), from, count));
        }
        return right == null || allows(right) ? Ready.READY : new Denied(new Denial.MissingRight(right));
    }

    @MutationPoint("region-lease.allows")
    private boolean allows(Access right) {
        return region.rights().allows(right);
    }

    @Override
    public void load(long from, byte[] target, int targetOffset, int count) {
        region.memory().load(from + region.shift(), target, targetOffset, count);
    }

    @Override
    public boolean canLend() {
        return region.memory().canLend();
    }

    @Override
    public Loan lend(long from, int count) {
        return region.memory().lend(from + region.shift(), count);
    }

    @Override
    public void store(long to, Octets source, int sourceOffset, int count) {
        region.memory().store(to + region.shift(), source, sourceOffset, count);
    }

    @Override
    public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
        return region.memory().update(at + region.shift(), atomic, unit);
    }

    @Override
    public void release() {
        origin.released(grant);
    }
}
