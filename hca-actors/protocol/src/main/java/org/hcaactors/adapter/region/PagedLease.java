// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.region;

import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.api.memory.Access;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** Lease on an on-demand region: as on a pinned region, but limited to pages that are present. */
record PagedLease(RegionLease plain, PagedRegion region) implements DelegatingLease {
    // rule paging-fault
    @Override
    public Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
        Answer allowed = plain.answer(user, from, count, right);
        return allowed != Ready.READY || count == 0
                ? allowed
                : pages(from + region.region().shift(), count, right != null && right != Access.REMOTE_READ);
    }

    /** Pages of memory that is unmapped, or may not be written, are absent, even if the pager has not been notified yet. */
    @MutationPoint("paged-lease.pages")
    private Answer pages(long from, long count, boolean writing) {
        long lacking = region.range().firstAbsent(from, count, writing);
        long had = lacking < 0 ? count : lacking - from;
        long hole = had == 0 ? -1 : hole(from, had, writing);
        long absent = hole < 0 ? lacking : hole;
        return absent < 0
                ? Ready.READY
                : new Absent(absent - from, region.pager(), absent, from + count - absent, writing);
    }

    private long hole(long from, long count, boolean writing) {
        return writing
                ? region.bytes().firstUnwritable(from, count)
                : region.bytes().firstUnmapped(from, count);
    }
}
