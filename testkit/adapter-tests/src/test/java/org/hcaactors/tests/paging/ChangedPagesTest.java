// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.tests.paging.Paged.PAGE;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reregistration of regions on demand while a request waits for their pages. */
class ChangedPagesTest {
    private static final long IOVA = 0x5000_0000L;
    private static final int COUNT = 4 * PAGE;

    /** Requests that wait for a page. */
    enum Waits {
        GATHER,
        RESPONSE,
        RECEIVE,
        TARGET,
        SOURCE;

        RcWork work(Paged paged) {
            LocalSlice cold = new LocalSlice(paged.a.lkey(), IOVA, COUNT);
            LocalSlice warm = paged.pair.a().region().slice(0, COUNT);
            return switch (this) {
                case GATHER -> RdmaWrite.of(1, cold, paged.pair.b().region().remote(0));
                case RESPONSE -> RdmaRead.of(1, cold, paged.pair.b().region().remote(0));
                case RECEIVE -> Send.of(1, warm);
                case TARGET -> RdmaWrite.of(1, warm, paged.b.remote(0));
                case SOURCE -> RdmaRead.of(1, warm, paged.b.remote(0));
            };
        }

        boolean isHere() {
            return this == GATHER || this == RESPONSE;
        }
    }

    // rules paging-reregister, memory-reregister
    @ParameterizedTest
    @EnumSource
    void aWaitForAPageUsesTheReregisteredMemory(Waits waits) {
        try (Paged paged = Paged.of(
                1,
                memory -> Registration.of(memory)
                        .withAddress(IOVA)
                        .withOnDemandPaging()
                        .withAccess(AccessFlags.LOCAL_AND_REMOTE))) {
            byte[] bytes = Paged.counted(COUNT);
            paged.pair.a().memory().write(0, bytes);
            paged.pair.b().memory().write(0, bytes);
            RcQueuePair qp = paged.pair.a().qp();
            paged.pair.b().qp().postReceive(Receive.of(9, new LocalSlice(paged.b.lkey(), IOVA, COUNT)));
            CompletionStage<WorkCompletion> done = qp.submit(waits.work(paged));
            paged.world.runFor(Duration.ofNanos(100_000));
            MemoryRegion region = waits.isHere() ? paged.a : paged.b;
            HostMemory other = (waits.isHere() ? paged.pair.a() : paged.pair.b())
                    .context()
                    .process()
                    .allocate(Paged.BYTES);
            other.write(0, bytes);
            paged.world.await(region.reregister(Reregistration.of(Change.TRANSLATION)
                    .withTranslation(Registration.of(other).withAddress(IOVA).withOnDemandPaging())));
            assertThat(paged.world.await(done).status()).isEqualTo(Status.SUCCESS);
            paged.quiet();
            assertThat(other.read(0, COUNT)).isEqualTo(bytes);
            assertThat(paged.ofA().regions()).isEqualTo(1);
            assertThat(paged.ofB().regions()).isEqualTo(1);
            PagingCounters ofIts = waits.isHere() ? paged.ofA() : paged.ofB();
            assertThat(ofIts.failedResolutions()).as("its key is known").isZero();
            assertThat(ofIts.regionsNotFound()).isZero();
            assertThat(ofIts.pageFaults()).isEqualTo(2);
            assertThat(ofIts.pageFaultPages()).isEqualTo(4);
        }
    }
}
