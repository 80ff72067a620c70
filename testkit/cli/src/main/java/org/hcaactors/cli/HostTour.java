// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;

/** Part four of the tour: host memory with on-demand paging, large blocks, and inline receives. */
final class HostTour {
    private static final int PAGE = 4096;

    /** Two packets, on two pages. */
    private static final int BYTES = 2048;

    private static final int FIRST = PAGE - BYTES / 2;
    /** Longer than a host takes to invalidate pages. */
    private static final Duration INVALIDATED = Duration.ofNanos(100_000);

    private static final Duration PAUSE = Duration.ofNanos(20_000);
    private static final long MIB = 1L << 20;
    private static final String BEFORE = "not yet there";
    private static final String MESSAGE = "data in a CQE";
    private static final Shape SHAPE =
            Shape.DEFAULT.with(RcConnection.DEFAULT.withRnrRetry(7)).withMemoryBytes(2 * PAGE);

    private final TourGround ground;
    private final Adapter bobs;
    private final RcEnd alice;
    private final RcEnd bob;
    private final List<RcTour.Step> steps = new ArrayList<>();
    private long workId = 400;

    HostTour(TourGround ground, Adapter alices, Adapter bobs) {
        this.ground = ground;
        this.bobs = bobs;
        Half left = Half.of(ground.network(), alices, SHAPE);
        Half right = Half.of(ground.network(), bobs, SHAPE).withInlineReceives();
        Ends<RcEnd> ends = RcEnd.connect(ground.network(), left, right, ground.terms(SHAPE.attributes()));
        alice = ends.a();
        bob = ends.b();
    }

    List<RcTour.Step> run() {
        onDemand();
        inBlocks();
        inCompletion();
        return steps;
    }

    // --- on-demand paging ---

    private void onDemand() {
        HostMemory memory = bob.context().process().allocate(2 * PAGE);
        MemoryRegion region = onDemand(bob, memory);
        step("WRITE to on-demand pages that are absent", ground.now(), write(region));
        step("WRITE to the same pages, now present", ground.now(), write(region));
        int evicted = ground.now();
        ground.evict(bob.context(), memory);
        ground.until(() -> bobs.pagingCounters().regionPages() == 0, INVALIDATED);
        step("WRITE to the same pages after their eviction", evicted, write(region));
        MemoryRegion other = onDemand(bob, bob.context().process().allocate(2 * PAGE));
        int ahead = ground.now();
        LocalSlice requested = other.slice(0, 2 * PAGE);
        ground.await(bob.domain()
                .advise(Prefetch.of(Prefetch.Purpose.WRITE, requested).withFlush()));
        step("WRITE to pages that were prefetched", ahead, write(other));
        MemoryRegion onDemand = onDemand(alice, alice.context().process().allocate(2 * PAGE));
        step(
                "READ into on-demand pages that are absent",
                ground.now(),
                RdmaRead.of(++workId, onDemand.slice(FIRST, BYTES), bob.remote(0)));
    }

    private MemoryRegion onDemand(RcEnd end, HostMemory memory) {
        Registration requested = Registration.of(memory).withOnDemandPaging();
        return ground.await(end.domain().register(requested.withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    private RdmaWrite write(MemoryRegion region) {
        return RdmaWrite.of(
                ++workId, alice.slice(0, BYTES), new RemoteAddress(region.rkey(), region.address() + FIRST));
    }

    private void step(String what, int from, RcWork work) {
        Status got = ground.await(alice.qp().submit(work)).status();
        ground.runFor(PAUSE);
        steps.add(new RcTour.Step(what, Status.SUCCESS, got, from));
    }

    // --- memory in large blocks ---

    private void inBlocks() {
        allocated("1 MiB for a region, in one block", Map.of(), "1 CONTIG");
        allocated("1 MiB, page by page", Map.of("MLX_MR_ALLOC_TYPE", "ANON"), "256 ANON");
        int from = ground.now();
        ground.fragment(bobs, 32 << 10);
        allocated("1 MiB, with bob's memory fragmented", Map.of(), "32 CONTIG", from);
        allocated(
                "1 MiB, forced into blocks of 64 KiB or more",
                Map.of("MLX_MR_ALLOC_TYPE", "CONTIG", "MLX_MR_MIN_LOG2_CONTIG_BSIZE", "16"),
                "ENOMEM");
    }

    private void allocated(String what, Map<String, String> environment, String expected) {
        allocated(what, environment, expected, ground.now());
    }

    private void allocated(String what, Map<String, String> environment, String expected, int from) {
        try (DeviceContext context = bobs.process("app").open(environment)) {
            PageLayout pages = ground.await(context.allocatePd().register(Registration.allocated(MIB)))
                    .pages();
            steps.add(new RcTour.Step(what, expected, pages.entries() + " " + pages.type(), from));
        } catch (VerbsException refused) {
            steps.add(new RcTour.Step(what, expected, refused.errno().name(), from));
        }
    }

    // --- inline receive ---

    private void inCompletion() {
        int from = ground.now();
        alice.memory().write(0, MESSAGE.getBytes(US_ASCII));
        bob.memory().write(0, BEFORE.getBytes(US_ASCII));
        bob.postReceive(Receive.of(1, bob.slice(0, MESSAGE.length())));
        step("SEND whose data is in the completion", from, Send.of(++workId, alice.slice(0, MESSAGE.length())));
        steps.add(new RcTour.Step("buffer of the receive before bob polls", BEFORE, buffer(), ground.now()));
        int polled = ground.now();
        ground.await(bob.recvCq().poll(1));
        steps.add(new RcTour.Step("buffer of the receive after bob has polled", MESSAGE, buffer(), polled));
    }

    private String buffer() {
        return new String(bob.memory().read(0, MESSAGE.length()), US_ASCII);
    }
}
