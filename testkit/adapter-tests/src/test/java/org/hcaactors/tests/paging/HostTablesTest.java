// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.tests.paging.Paged.PAGE;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.work.RdmaWrite;
import org.junit.jupiter.api.Test;

/** An adapter that reads the page tables of its host. */
class HostTablesTest {
    private static Status write(Paged paged, int pages) {
        return paged.world
                .await(paged.pair
                        .a()
                        .qp()
                        .submit(RdmaWrite.of(1, paged.pair.a().region().slice(0, pages * PAGE), paged.b.remote(0))))
                .status();
    }

    // rule paging-capi
    @Test
    void onlyPagesTheProgramNeverTouchedFault() {
        try (Paged paged = Paged.withHostTables()) {
            paged.b.memory().write(0, new byte[4 * PAGE]);
            assertThat(write(paged, 4)).isEqualTo(Status.SUCCESS);
            assertThat(paged.ofB().pageFaults()).isZero();
            assertThat(write(paged, 6)).isEqualTo(Status.SUCCESS);
            assertThat(paged.ofB().pageFaults()).isEqualTo(1);
            assertThat(paged.ofB().regionPages()).as("it keeps no pages").isZero();
        }
    }

    // rule paging-capi
    @Test
    void pagesTakenByTheHostAreAbsentAndPrefetchesDoNothing() {
        whatTheHostTakes(false);
    }

    // rule paging-capi
    @Test
    void aFlushedPrefetchMakesTheHostMapTakenPages() {
        whatTheHostTakes(true);
    }

    private static void whatTheHostTakes(boolean flushed) {
        try (Paged paged = Paged.withHostTables()) {
            paged.b.memory().write(0, new byte[4 * PAGE]);
            paged.b.memory().evict(0, 2 * PAGE);
            paged.quiet();
            Prefetch both = Prefetch.of(Purpose.WRITE, paged.b.slice(0, 2 * PAGE));
            paged.world.await(paged.pair.b().domain().advise(flushed ? both.withFlush() : both));
            paged.world.await(paged.b.prefetch(0, PAGE, true));
            assertThat(paged.ofB().prefetches()).isEqualTo(flushed ? 1 : 0);
            assertThat(paged.ofB().prefetchPages()).as("it keeps no pages").isZero();
            assertThat(write(paged, 4)).isEqualTo(Status.SUCCESS);
            assertThat(paged.ofB().pageFaults()).isEqualTo(flushed ? 0 : 1);
            paged.b.memory().close();
            if (flushed) {
                assertThatThrownBy(
                                () -> paged.world.await(paged.pair.b().domain().advise(both.withFlush())))
                        .hasMessageContaining("EFAULT");
            }
            assertThat(write(paged, 1)).isEqualTo(Status.REM_ACCESS_ERR);
        }
    }
}
