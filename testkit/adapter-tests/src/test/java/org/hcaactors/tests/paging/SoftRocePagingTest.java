// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.assertion.RdmaAssertions.assertThat;
import static org.hcaactors.lab.fault.PacketMatch.packet;
import static org.hcaactors.tests.paging.Paged.PAGE;

import java.util.stream.Stream;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.capability.PagingCapabilities.Transport;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.UdEnd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

// rule paging-synchronous
/** Soft-RoCE: a request that needs a page has it mapped, and waits for it in place. */
class SoftRocePagingTest {
    private static final int COUNT = 8 * PAGE;

    @Test
    void itHasExplicitRegionsAndWaitsForPagesOnRcAndUd() {
        PagingCapabilities paging = Profile.SOFT_ROCE.paging();
        assertThat(paging.features()).containsExactly(Feature.EXPLICIT, Feature.SYNCHRONOUS);
        assertThat(paging.uses(Transport.RC)).containsExactly(Use.values());
        assertThat(paging.uses(Transport.UD)).containsExactly(Use.SEND, Use.RECEIVE, Use.SHARED_RECEIVE);
        assertThat(paging.uses(Transport.UC)).isEmpty();
    }

    /** Each finds absent pages at both ends, and the host evicts all of them afterwards. */
    @Test
    void everyVerbFaultsAndNoneIsRefusedDroppedOrResent() {
        try (Paged paged = Paged.with(Profile.SOFT_ROCE)) {
            Stream.of(
                            Send.of(1, paged.a.slice(0, COUNT)),
                            RdmaWrite.of(2, paged.a.slice(0, COUNT), paged.b.remote(0)),
                            RdmaRead.of(3, paged.a.slice(0, COUNT), paged.b.remote(0)),
                            FetchAdd.of(4, paged.a.slice(0, 8), paged.b.remote(0), 5))
                    .forEach(work -> faultsAtBothEnds(paged, work));
            assertThat(paged.world.trace()).packets(packet().rnrNak()).isEmpty();
            assertThat(paged.world.trace()).retransmissions().isEmpty();
            assertThat(paged.b.memory().read(8, COUNT - 8))
                    .isEqualTo(paged.a.memory().read(8, COUNT - 8));
        }
    }

    private static void faultsAtBothEnds(Paged paged, RcWork work) {
        paged.a.memory().write(8, Paged.counted(COUNT - 8));
        paged.pair.b().qp().postReceive(Receive.of(1, paged.b.slice(0, COUNT)));
        Stream.of(paged.a.memory(), paged.b.memory()).forEach(memory -> memory.evict(0, COUNT));
        paged.quiet();
        long here = paged.ofA().pageFaults();
        long there = paged.ofB().pageFaults();
        assertThat(paged.world.await(paged.pair.a().qp().submit(work)).status())
                .as("%s", work)
                .isEqualTo(Status.SUCCESS);
        assertThat(paged.ofA().pageFaults()).as("%s", work).isGreaterThan(here);
        assertThat(paged.ofB().pageFaults()).as("%s", work).isGreaterThan(there);
    }

    @Test
    void theExplanationOfASlowRequestNamesItsPages() {
        try (Paged paged = Paged.with(Profile.SOFT_ROCE)) {
            RdmaWrite write = RdmaWrite.of(1, paged.pair.a().region().slice(0, PAGE), paged.b.remote(0));
            WorkCompletion done = paged.world.await(paged.pair.a().qp().submit(write));
            assertThat(paged.world.explain(done).toString())
                    .contains(
                            " us for 4096 bytes at 0x%x of key 0x%08x, which a peer writes"
                                    .formatted(paged.b.address(), paged.b.rkey()),
                            "its adapter had not mapped any of these pages before");
        }
    }

    // rule paging-fails
    @Test
    void aRequestForUnmappedMemoryIsRefused() {
        try (Paged paged = Paged.with(Profile.SOFT_ROCE)) {
            paged.b.memory().close();
            RdmaWrite write = RdmaWrite.of(1, paged.pair.a().region().slice(0, PAGE), paged.b.remote(0));
            assertThat(paged.world.await(paged.pair.a().qp().submit(write)).status())
                    .isEqualTo(Status.REM_ACCESS_ERR);
            assertThat(paged.ofB().failedResolutions()).isEqualTo(1);
        }
    }

    // rule paging-unanswered
    @ParameterizedTest(name = "shared: {0}")
    @CsvSource({"true", "false"})
    void datagramsWaitForThePagesOfTheirReceives(boolean shared) {
        try (Paged paged = Paged.with(Profile.SOFT_ROCE)) {
            Half into = Half.on(paged.pair.b().side());
            SharedReceiveQueue srq = paged.world.await(paged.pair.b().domain().createSrq(SrqDescription.of(10)));
            CompletionQueue recvCq = paged.world.await(paged.pair.b().context().createCq(10));
            Ends<UdEnd> ends = UdEnd.introduce(
                    paged.world.network(),
                    Half.on(paged.pair.a().side()),
                    shared ? into.withRecvCq(recvCq).withSrq(srq) : into,
                    UdEnd.QKEY);
            Receive receive = Receive.of(1, paged.b.slice(0, 1064));
            if (shared) {
                srq.postReceive(receive);
            } else {
                ends.b().qp().postReceive(receive);
            }
            HostMemory source = paged.a.memory();
            source.write(0, Paged.counted(1024));
            assertThat(paged.world
                            .await(ends.a().submit(Send.of(1, paged.a.slice(0, 1024))))
                            .status())
                    .isEqualTo(Status.SUCCESS);
            paged.quiet();
            assertThat(paged.b.memory().read(40, 1024)).isEqualTo(Paged.counted(1024));
            assertThat(paged.ofB().pageFaults()).isEqualTo(1);
        }
    }
}
