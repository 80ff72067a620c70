// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;
import org.hcaactors.views.explain.Explainer;
import org.hcaactors.views.explain.Explanation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Slow and refused requests, and the pages that caused this. */
class ExplainedPagesTest {
    private static final int PAGE = 4096;

    private World world;
    private ConnectedPair pair;
    private HostMemory memory;
    private MemoryRegion region;

    @BeforeEach
    void connect() {
        world = World.of(3);
        LinkProperties link = LinkProperties.of(1_000, 100_000_000_000L);
        Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5, link);
        Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5, link);
        RcConnection attributes = RcConnection.DEFAULT.withRnrRetry(7);
        pair = ConnectedPair.between(world.network(), a, b, Shape.DEFAULT.with(attributes));
        RcEnd end = pair.b();
        memory = end.context().process().allocate(8L * PAGE);
        region = onDemand(end, memory);
    }

    private MemoryRegion onDemand(RcEnd end, HostMemory shown) {
        return world.await(end.domain()
                .register(Registration.of(shown).withOnDemandPaging().withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    @AfterEach
    void close() {
        world.close();
    }

    private WorkCompletion write(int id) {
        return world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(id, pair.a().region().slice(0, 2 * PAGE), region.remote(PAGE))));
    }

    private Explanation explained(WorkCompletion completion) {
        return Explainer.of(world.trace()).explain(completion).orElseThrow();
    }

    private String reason(WorkCompletion completion) {
        return explained(completion).toString();
    }

    @Test
    void theExplanationOfASlowRequestNamesItsPagesAndEviction() {
        assertThat(reason(write(1)))
                .contains(
                        "b/qp%d waited ".formatted(pair.b().qp().number()),
                        " us for 8192 bytes at 0x%x of key 0x%08x, which a peer writes; its adapter had not mapped any of these pages before"
                                .formatted(memory.address() + PAGE, region.rkey()))
                .doesNotContain("evict");
        world.faults().now().evict(pair.b().context(), memory, 2L * PAGE, PAGE);
        world.runFor(Duration.ofMillis(1));
        assertThat(reason(write(2)))
                .contains(" us for 4096 bytes at 0x%x of key".formatted(memory.address() + 2L * PAGE))
                .contains("; its host had evicted 4096 bytes at 0x%x, 1 page of key 0x%08x, at "
                        .formatted(memory.address() + 2L * PAGE, region.rkey()))
                .contains(" us, which the testkit injected: evict 4096 bytes");
        assertThat(reason(write(3))).doesNotContain("waited");
    }

    @Test
    void theWaitForAPeerWithoutPagesIsReportedAndDrawn() {
        String reason = reason(write(1));
        assertThat(reason)
                .contains("psn 0 to 7 were sent again: ", "RNR timer expired")
                .containsPattern(
                        "because a/qp\\d+ waited 1280.000 us: b/qp\\d+ answered RNR 1.28 ms psn 0 msn 0: the page at")
                // The ladder.
                .containsPattern("─ RNR 1.28 ms psn 0 msn 0 ─")
                .containsPattern("· qp\\d+ waits 1280.000 us");
    }

    @Test
    void theRootOfASlowRequestIsTheAbsentPage() {
        assertThat(explained(write(1)).root()).contains("its adapter had not mapped any of these pages before");
        world.faults().now().evict(pair.b().context(), memory);
        world.runFor(Duration.ofMillis(1));
        assertThat(explained(write(2)).root()).contains("its host had evicted");
    }

    /** The invalidation was in progress when the fault occurred. */
    @Test
    void aFaultDuringAnInvalidationNamesThatInvalidation() {
        write(1);
        memory.evict(0, memory.lengthBytes());
        String reason = reason(write(2));
        assertThat(reason.lines().filter(line -> line.contains("sent again")))
                .containsExactly("  because psn 8 to 15 were sent again, twice: qp"
                        + pair.a().qp().number() + " goes back to psn 8: RNR timer expired");
        assertThat(reason)
                .containsPattern(
                        "without success: the host invalidated pages of key 0x\\p{XDigit}+ at [\\d.]+ us, and this invalidation was not complete yet")
                .contains("is mapped at 0x%x yet: the host was invalidating pages".formatted(memory.address() + PAGE));
    }

    // rule paging-capi
    /** It counts no pages itself, so there is no number to report. */
    @Test
    void pagesFoundInTheHostsTablesAreNotCounted() {
        PagingCapabilities byHost = Profile.CONNECTX_5.paging().with(Feature.HOST_TABLES);
        Adapter c = world.network()
                .addAdapter("c", Profile.CONNECTX_5.with(byHost), LinkProperties.of(1_000, 100_000_000_000L));
        RcConnection attributes = RcConnection.DEFAULT.withRnrRetry(7);
        ConnectedPair other =
                ConnectedPair.between(world.network(), pair.a().adapter(), c, Shape.DEFAULT.with(attributes));
        HostMemory there = other.b().context().process().allocate(PAGE);
        MemoryRegion shown = onDemand(other.b(), there);
        world.await(other.a().qp().submit(RdmaWrite.of(1, other.a().slice(0, 10), shown.remote(0))));
        there.evict(0, PAGE);
        world.runFor(Duration.ofMillis(1));
        WorkCompletion done =
                world.await(other.a().qp().submit(RdmaWrite.of(2, other.a().slice(0, 10), shown.remote(0))));
        String key = "key 0x%08x".formatted(shown.rkey());
        assertThat(reason(done))
                .contains("; its host had evicted 4096 bytes at 0x%x, at ".formatted(there.address()))
                .contains("the host evicts 4096 bytes at 0x%x of %s".formatted(there.address(), key))
                .contains("the host's pages of %s are present, from 0x%x on".formatted(key, there.address()))
                .doesNotContain("0 pages");
    }

    /** An eviction around the pages is not the cause of their absence. */
    @Test
    void aRequestForUntouchedPagesNamesNoEviction() {
        write(1);
        world.faults().now().evict(pair.b().context(), memory);
        world.runFor(Duration.ofMillis(1));
        RdmaWrite elsewhere = RdmaWrite.of(2, pair.a().region().slice(0, PAGE), region.remote(5L * PAGE));
        assertThat(reason(world.await(pair.a().qp().submit(elsewhere))))
                .contains("which a peer writes; its adapter had not mapped any of these pages before")
                .doesNotContain("its host had evicted");
    }

    @Test
    void theExplanationOfAReceiveNamesThePagesItWaitedFor() {
        pair.b().qp().postReceive(Receive.of(7, region.slice(0, 100)));
        world.await(pair.a().qp().submit(Send.of(1, pair.a().region().slice(0, 100))));
        assertThat(reason(world.await(pair.b().recvCq().poll(1)).getFirst()))
                .contains(
                        "it received request 1",
                        "answered RNR 1.28 ms",
                        "b/qp",
                        " us for 100 bytes at 0x%x of key".formatted(memory.address()));
    }

    @Test
    void theExplanationOfAnExhaustedRnrRetryNamesThePage() {
        ConnectedPair hasty = ConnectedPair.between(
                world.network(),
                pair.a().adapter(),
                pair.b().adapter(),
                Shape.DEFAULT.with(RcConnection.DEFAULT.withRnrRetry(0)));
        MemoryRegion there = onDemand(hasty.b(), hasty.b().context().process().allocate(PAGE));
        WorkCompletion failed = world.await(
                hasty.a().qp().submit(RdmaWrite.of(1, hasty.a().region().slice(0, 10), there.remote(0))));
        world.runFor(Duration.ofMillis(1));
        assertThat(failed.status()).isEqualTo(Status.RNR_RETRY_EXC_ERR);
        assertThat(reason(failed))
                .contains("RNR retry count 0 is exhausted", "the page at")
                .contains(" us for 10 bytes at 0x%x of key 0x%08x, which a peer writes"
                        .formatted(there.address(), there.rkey()));
    }

    @Test
    void aDatagramsExplanationHasItsPageWaitAndAbsentPages() {
        RdmaNetwork network = world.network();
        Half left = Half.on(pair.a().side()).withQueues(network, 10);
        Half right = Half.on(pair.b().side()).withQueues(network, 10);
        Ends<UdEnd> ends = UdEnd.introduce(network, left, right, UdEnd.QKEY);
        MemoryRegion cold = onDemand(pair.a(), pair.a().context().process().allocate(PAGE));
        ends.b().postReceive(Receive.of(1, region.slice(0, 200)));
        WorkCompletion sent = world.await(ends.a().submit(Send.of(1, cold.slice(0, 100))));
        world.runFor(Duration.ofMillis(1));
        assertThat(reason(sent))
                .contains("a/qp%d waited ".formatted(ends.a().qp().number()), " us for 100 bytes", "to send them")
                .contains("b/qp%d ignored SEND_ONLY".formatted(ends.b().qp().number()));
    }

    // rule pages-refused
    @Test
    void aRegionWithoutPagesNamesThemAndTheFragmentation() {
        DeviceContext forced = pair.b()
                .adapter()
                .process("app")
                .open(Map.of("MLX_MR_ALLOC_TYPE", "CONTIG", "MLX_MR_MIN_LOG2_CONTIG_BSIZE", "16"));
        Half left = Half.of(world.network(), pair.a().adapter(), Shape.DEFAULT);
        Half right = Half.on(Side.within(world.network(), forced.allocatePd(), PAGE));
        Ends<RcEnd> ends = RcEnd.connect(world.network(), left, right, RcConnection.DEFAULT);
        world.faults().now().fragment(pair.b().adapter(), PAGE);
        Reregistration anew = Reregistration.of(Reregistration.Change.TRANSLATION);
        CompletionStage<Void> refused =
                ends.b().region().reregister(anew.withTranslation(Registration.allocated(1 << 20)));
        assertThatThrownBy(() -> world.await(refused)).hasMessageContaining("ENOMEM");
        WorkCompletion failed = world.await(ends.a()
                .qp()
                .submit(RdmaWrite.of(1, ends.a().slice(0, 10), ends.b().remote(0))));
        assertThat(reason(failed))
                .contains("is undefined because its re-registration failed")
                .contains("when the host had no pages: ENOMEM for app: MLX_MR_ALLOC_TYPE=CONTIG and 1048576 bytes")
                .contains("; the testkit had injected: fragment the memory of b into blocks of at most 4 KiB");
    }

    @Test
    void theExplanationOfARefusedRequestNamesTheUnmapping() {
        write(1);
        memory.close();
        world.runFor(Duration.ofMillis(1));
        assertThat(reason(write(2)))
                .contains("no memory", "when its memory was unmapped")
                .containsPattern(
                        "because a/qp\\d+ waited 1280.000 us: b/qp\\d+ answered RNR 1.28 ms psn 8 msn 1: the page at")
                .containsPattern("─ RNR 1.28 ms psn 8 msn 1 ─")
                .containsPattern("· qp\\d+ goes back to psn 8")
                .containsPattern("(?s)─ WRITE_FIRST psn 8 .*─ WRITE_FIRST psn 8 ");
    }
}
