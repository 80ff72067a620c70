// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.world.World;

/**
 * Requests between regions of special memory: allocated at registration, shared between processes, physical, of a peer device,
 * or none at all. One of them is destroyed or changed while it is used; then the queue pair is connected again, with other
 * regions.
 */
final class SpecialRegions implements Workload {
    private static final int LONGEST_LIFE = 12;

    /** 1 ms: enough to read several pages back. */
    private static final int PATIENT = 8;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final SpecialRegionSlot localSlot;
    private final SpecialRegionSlot remoteSlot;
    private final Renewable connection;
    /** The shared receive queue, if the queue pair has no receive queue of its own. */
    private Optional<SharedReceiveQueue> shared;

    private final List<SpecialRegion> opened = new ArrayList<>();
    private Optional<SpecialRegion> near = Optional.empty();
    private Optional<SpecialRegion> far = Optional.empty();
    private Optional<CompletionStage<WorkCompletion>> last = Optional.empty();
    private int requests;
    private int untilNext;

    SpecialRegions(SweepContext sweep) {
        this(sweep, "odd regions", SpecialRegionSlot::on, sweep.b(), false);
    }

    private SpecialRegions(SweepContext sweep, String name, Places places, SweepNode far, boolean shares) {
        this.sweep = sweep;
        random = sweep.random(name);
        localSlot = places.on(sweep, sweep.a(), random);
        remoteSlot = places.on(sweep, far, random);
        shared = shares ? Optional.of(queue()) : Optional.empty();
        connection = new Renewable(sweep, name, random, localSlot.half(), far(), attributes());
        begin();
    }

    /**
     * Returns a workload whose regions are on demand at both ends, if their adapters support it; pages are evicted and unmapped
     * during the traffic.
     */
    static SpecialRegions paged(SweepContext sweep) {
        SplittableRandom which = sweep.random("shared receives of paged regions");
        int any = which.nextInt(6);
        SweepNode far = any == 0 ? older(sweep, which) : sweep.b();
        return new SpecialRegions(sweep, "paged regions", SpecialRegionSlot::paged, far, any < 3);
    }

    // rule paging-transports
    /** Returns a node whose adapter can't wait for pages of shared receives. */
    private static SweepNode older(SweepContext sweep, SplittableRandom which) {
        World world = sweep.world();
        LinkProperties link = LinkProperties.of(200 + which.nextInt(2000), 10_000_000_000L);
        return new SweepNode(world, world.network().addAdapter("older", Profile.CONNECTX_4, link), which);
    }

    private SharedReceiveQueue queue() {
        return sweep.world().await(remoteSlot.domain().createSrq(SrqDescription.DEFAULT));
    }

    private Half far() {
        Half half = remoteSlot.half();
        return shared.map(half::withSrq).orElse(half);
    }

    private interface Places {
        SpecialRegionSlot on(SweepContext sweep, SweepNode site, SplittableRandom random);
    }

    /** Returns attributes with a timeout long enough for a page fault (rule paging-stream). */
    private RcConnection attributes() {
        RcConnection patient = sweep.patient(random);
        return localSlot.kind().isPaged() || remoteSlot.kind().isPaged() ? patient.withTimeoutCode(PATIENT) : patient;
    }

    private void begin() {
        untilNext = 1 + random.nextInt(LONGEST_LIFE);
        near = open(localSlot);
        far = open(remoteSlot);
        QueuePairLife binder = sweep.promises().life("binder of odd regions");
        binder.cutOff();
        far.filter(region -> !connection.isLost()).ifPresent(region -> region.show(connection.remote(), binder));
    }

    /** Opens a region; empty if a disaster prevents it. */
    private Optional<SpecialRegion> open(SpecialRegionSlot place) {
        Optional<SpecialRegion> region = sweep.tryCreate("a region that is " + place.kind(), place::open);
        region.ifPresent(opened::add);
        return region;
    }

    @Override
    public void step() {
        if (untilNext-- == 0) {
            if (random.nextBoolean()) {
                last.ifPresent(this::settle);
            }
            end();
            renew();
            begin();
        }
        if (connection.isLost() || near.isEmpty() || far.isEmpty()) {
            return;
        }
        step(near.get(), far.get());
    }

    /** Begins another life with another shared queue: the receives left in the old one name regions that no longer exist. */
    private void renew() {
        if (shared.isEmpty() || connection.isLost()) {
            connection.renew(attributes());
            return;
        }
        sweep.tryCreate("shared receives for another life", this::queue)
                .ifPresent(queue -> shared = Optional.of(queue));
        connection.renew(attributes(), far());
    }

    private void step(SpecialRegion from, SpecialRegion to) {
        SpecialRegion any = random.nextBoolean() ? from : to;
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> {
                mayFail();
                if (tryDisturb(any)) {
                    untilNext = Math.min(untilNext, random.nextInt(6));
                }
            }
            case 3, 4, 5 -> tryChange(any);
            case 6 -> writeAstray(from, to);
            case 7 ->
                last.filter(sent -> localSlot.kind().isPaged() && random.nextBoolean())
                        .ifPresent(this::settle);
            default -> {
                for (int i = random.nextInt(3); i >= 0 && from.isOfUse() && to.isOfUse(); i--) {
                    post(from, to);
                }
            }
        }
    }

    private static boolean tryDisturb(SpecialRegion any) {
        try {
            return any.disturb();
        } catch (VerbsException refused) {
            // Its process is.
            return true;
        }
    }

    private void tryChange(SpecialRegion any) {
        try {
            any.change();
        } catch (VerbsException refused) {
            // A process of its host is.
        }
    }

    /** Allows failures. A READ may be executed twice and be refused the second time (rules rc-read-now, rc-ghost). */
    private void mayFail() {
        connection
                .life()
                .mayFailWith(Status.LOC_PROT_ERR, Status.REM_ACCESS_ERR, Status.REM_OP_ERR, Status.RETRY_EXC_ERR);
    }

    private void post(SpecialRegion from, SpecialRegion to) {
        int cell = random.nextInt(SpecialRegion.CELLS);
        int bytes = 1 + random.nextInt(SweepNode.CELL);
        switch (to.isForPeers() ? random.nextInt(8) : 0) {
            case 0, 1 -> send(from, to, bytes);
            case 2, 3, 4 -> write(from, to, cell, bytes);
            case 5, 6 -> read(from, to, cell, bytes);
            default -> fetchAndAdd(from, to);
        }
    }

    private void write(SpecialRegion from, SpecialRegion to, int cell, int bytes) {
        RdmaWrite write = RdmaWrite.of(
                ++requests, from.slice(SpecialRegion.source(cell), bytes), to.remote(SpecialRegion.target(cell)));
        add(
                "WRITE " + requests,
                write,
                () -> same(
                        "WRITE of cell " + cell,
                        from.gives(SpecialRegion.source(cell), bytes),
                        to.keeps(SpecialRegion.target(cell), bytes)));
    }

    private void read(SpecialRegion by, SpecialRegion of, int cell, int bytes) {
        RdmaRead read = RdmaRead.of(
                ++requests, by.slice(SpecialRegion.target(cell), bytes), of.remote(SpecialRegion.source(cell)));
        add(
                "READ " + requests,
                read,
                () -> same(
                        "READ of cell " + cell,
                        of.gives(SpecialRegion.source(cell), bytes),
                        by.keeps(SpecialRegion.target(cell), bytes)));
    }

    /** Sends a message. All messages begin with the same bytes, as their receives use the same memory. */
    private void send(SpecialRegion from, SpecialRegion to, int bytes) {
        Receive receive = Receive.of(++requests, to.slice(SpecialRegion.RECEIVE, SweepNode.CELL));
        ReceiveWaves.quietly(() -> post(receive));
        mayWaitForNoPage();
        Send send = Send.of(requests, from.slice(SpecialRegion.source(0), bytes));
        add(
                "SEND " + requests,
                send,
                () -> same(
                        "SEND " + bytes,
                        from.gives(SpecialRegion.source(0), bytes),
                        to.keeps(SpecialRegion.RECEIVE, bytes)));
    }

    private void post(Receive receive) {
        shared.ifPresentOrElse(
                queue -> queue.postReceive(receive), () -> connection.remote().postReceive(receive));
    }

    // rule paging-transports
    /** Allows the life to end with a message to an absent page, if shared receives can't wait for pages. */
    private void mayWaitForNoPage() {
        boolean waits = remoteSlot
                .site()
                .adapter
                .profile()
                .paging()
                .uses(PagingCapabilities.Transport.RC)
                .contains(Use.SHARED_RECEIVE);
        if (shared.isPresent() && remoteSlot.kind().isPaged() && !waits) {
            mayFail();
            untilNext = Math.min(untilNext, random.nextInt(6));
        }
    }

    private void fetchAndAdd(SpecialRegion by, SpecialRegion of) {
        if (!by.takesAtomics() || !of.takesAtomics()) {
            return;
        }
        FetchAdd add = FetchAdd.of(
                ++requests,
                by.slice(SpecialRegion.word(requests), Long.BYTES),
                of.remote(SpecialRegion.word(random.nextInt(2))),
                1);
        add("FETCH_ADD " + requests, add, () -> {});
    }

    private void writeAstray(SpecialRegion from, SpecialRegion to) {
        RdmaWrite astray = RdmaWrite.of(++requests, from.slice(SpecialRegion.source(0), 1), to.stray());
        untilNext = Math.min(untilNext, random.nextInt(6));
        if (localSlot.kind().isPaged()) {
            // If a response was dropped, a NAK behind it was, too, and the responder answers nothing any more (rule
            // paging-response).
            connection.life().mayFailWith(Status.RETRY_EXC_ERR);
        }
        add(
                "WRITE astray",
                astray,
                () -> {
                    throw new AssertionError("a WRITE to memory without remote access succeeded: " + astray);
                },
                Status.REM_ACCESS_ERR);
    }

    private void add(String what, RcWork work, Runnable check, Status... mayFail) {
        CompletionStage<WorkCompletion> stage = connection.local().submit(work);
        last = Optional.of(stage);
        connection.life().add(what, stage, check, Set.of(mayFail));
    }

    private void settle(CompletionStage<WorkCompletion> stage) {
        try {
            sweep.world().await(stage);
        } catch (VerbsException refused) {
            // Nothing more will complete.
        }
    }

    private static void same(String what, Optional<byte[]> requested, Optional<byte[]> found) {
        if (requested.isPresent() && found.isPresent()) {
            ByteChecks.same(what, requested.get(), found.get());
        }
    }

    private void end() {
        mayFail();
        near.ifPresent(SpecialRegion::end);
        far.ifPresent(SpecialRegion::end);
        near = Optional.empty();
        far = Optional.empty();
    }

    /** Ends half of the lives early; in the others the written bytes can still be checked. */
    @Override
    public void finish() {
        if (random.nextBoolean()) {
            end();
        }
    }

    @Override
    public void atRest() {
        opened.forEach(SpecialRegion::atRest);
    }
}
