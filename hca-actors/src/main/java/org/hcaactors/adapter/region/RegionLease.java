// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.User;
import org.hcaactors.api.memory.Access;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/** Use of a region, whose addresses are the host's. */
record RegionLease(long grant, Region region, Origin origin) implements Lease {
    @Override
    public int key() {
        return region.key();
    }

    @Override
    public Answer answer(User user, long from, long count, @Nullable Access right) {
        if (region.domain() != user.domain()) {
            return new Denied(new Denial.ForeignDomain(region.domain(), user.domain()));
        }
        if (count != 0 && !covers(from, count)) {
            return new Denied(new Denial.OutOfRange(region.address(), region.lengthBytes(), from, count));
        }
        return right == null || allows(right) ? Ready.READY : new Denied(new Denial.MissingRight(right));
    }

    /** The whole of the range lies in the region. */
    private boolean covers(long from, long count) {
        long offset = from - region.address();
        long lengthBytes = region.lengthBytes();
        return offset >= 0 && count >= 0 && offset <= lengthBytes && count <= lengthBytes - offset;
    }

    private boolean allows(Access right) {
        return region.rights().allows(right);
    }

    @Override
    public void load(long from, byte[] target, int targetOffset, int count) {
        region.memory().load(from, target, targetOffset, count);
    }

    @Override
    public void store(long to, Octets source, int sourceOffset, int count) {
        region.memory().store(to, source, sourceOffset, count);
    }

    @Override
    public long compareAndSwap(long at, long compare, long swap) {
        return region.memory().compareAndSwap(at, compare, swap);
    }

    @Override
    public long fetchAndAdd(long at, long add) {
        return region.memory().fetchAndAdd(at, add);
    }

    @Override
    public void release() {
        origin.released(grant);
    }
}
