// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import java.nio.ByteOrder;
import org.hcaactors.adapter.host.HostBytes;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.device.Profile;

/** Plain atomics for tests, without a packet. */
public final class EightBytes {
    public static final AtomicUnit UNIT = new AtomicUnit(Profile.CONNECTX_5.atomics(), ByteOrder.nativeOrder());

    private EightBytes() {}

    public static long fetchAndAdd(HostBytes memory, long at, long add) {
        return memory.update(at, Atomic.fetchAdd(add), UNIT).toLong();
    }

    public static long fetchAndAdd(Lease lease, long at, long add) {
        return lease.update(at, Atomic.fetchAdd(add), UNIT).toLong();
    }

    public static long compareAndSwap(HostBytes memory, long at, long compare, long swap) {
        return memory.update(at, Atomic.compareSwap(compare, swap), UNIT).toLong();
    }

    public static long compareAndSwap(Lease lease, long at, long compare, long swap) {
        return lease.update(at, Atomic.compareSwap(compare, swap), UNIT).toLong();
    }
}
