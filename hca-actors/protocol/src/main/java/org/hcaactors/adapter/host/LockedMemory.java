// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageLayout;

// rule memory-locked
/** Number of pages pinned by the regions of one process; a page counts once for each region that pins it. Any thread. */
public final class LockedMemory {
    private static final int SHIFT = PageLayout.MIN_ORDER;

    private final long max;
    private final AtomicLong pages = new AtomicLong();

    /** @param maxBytes maximum number of pinned bytes; Long.MAX_VALUE for no limit */
    public LockedMemory(long maxBytes) {
        max = maxBytes == Long.MAX_VALUE ? Long.MAX_VALUE : maxBytes >> SHIFT;
    }

    /** Number of pages that a range of a process's memory touches. */
    static long pages(long first, long lengthBytes) {
        return lengthBytes == 0 ? 0 : (first + lengthBytes - 1 >> SHIFT) - (first >> SHIFT) + 1;
    }

    /**
     * Counts a range as pinned until the returned action runs, once. VerbsException (ENOMEM) beyond the limit; then nothing is
     * pinned.
     */
    public Runnable take(long first, long lengthBytes) {
        long more = pages(first, lengthBytes);
        long before = pages.getAndUpdate(held -> more > max - held ? held : held + more);
        if (more > max - before) {
            throw new VerbsException(
                    Errno.ENOMEM,
                    "%d bytes can't be pinned in addition to %d; the process may have %d bytes locked (ulimit -l)"
                            .formatted(more << SHIFT, before << SHIFT, max << SHIFT));
        }
        return () -> pages.addAndGet(-more);
    }
}
