// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.paging;

import java.util.Optional;
import java.util.OptionalLong;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.host.AddressSpace;
import org.hcaactors.mutation.MutationPoint;

/** Lookup of requested pages at the host, and their mapping for the adapter. */
final class PageIn {
    private PageIn() {}

    // rules paging-resolves, paging-huge
    /** Returns why the pages can't be brought in. */
    static Optional<Denial> hole(PagingJob job) {
        AddressSpace space = job.range().space();
        OptionalLong at = job.range().isHuge() ? space.firstNotHuge(job.from(), job.count()) : smallHole(space, job);
        return at.stream()
                .<Denial>mapToObj(job.range().isHuge() ? Denial.NotHuge::new : Denial.NotMapped::new)
                .findFirst();
    }

    private static OptionalLong smallHole(AddressSpace space, PagingJob job) {
        return job.isWritable()
                ? space.firstUnwritable(job.from(), job.count())
                : space.firstUnmapped(job.from(), job.count());
    }

    /** Maps the pages; returns how many the adapter did not have before. */
    static long map(PagingJob job) {
        return job instanceof PagingJob.PrefetchPart ahead && ahead.whole().isResidentOnly()
                ? mapResident(job)
                : mapAll(job);
    }

    @MutationPoint("page-in.map-all")
    private static long mapAll(PagingJob job) {
        job.range().space().touch(job.from(), job.count());
        return job.range().isByHost() ? 0 : job.range().pages().map(job.page(), job.pages(), job.isWritable());
    }

    private static long mapResident(PagingJob job) {
        if (job.range().isByHost()) {
            return 0;
        }
        AddressSpace space = job.range().space();
        long mapped = 0;
        for (long page = job.page(); page < job.page() + job.pages(); page++) {
            if (space.countPages(page << PageMap.PAGE_SHIFT, PageMap.PAGE).resident() > 0) {
                mapped += job.range().pages().map(page, 1, job.isWritable());
            }
        }
        return mapped;
    }
}
