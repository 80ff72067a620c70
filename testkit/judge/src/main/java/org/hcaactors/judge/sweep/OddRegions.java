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
 * Requests between regions of something else than memory that their process has: allocated with them, shared between processes,
 * of physical addresses, of a peer device, or of nothing. One of them goes while it is used, or becomes what it was not; then
 * the queue pair has another life, and other regions.
 */
final class OddRegions implements Strand {
    private static final int LONGEST_LIFE = 12;

    /** 1 ms: several pages are read back meanwhile. */
    private static final int PATIENT = 8;

    private final Setting setting;
    private final SplittableRandom lots;
    private final OddPlace here;
    private final OddPlace there;
    private final Renewable connection;
    /** Where receives come from, if it is not a queue of the queue pair's own. */
    private Optional<SharedReceiveQueue> shared;

    private final List<OddRegion> opened = new ArrayList<>();
    private Optional<OddRegion> near = Optional.empty();
    private Optional<OddRegion> far = Optional.empty();
    private Optional<CompletionStage<WorkCompletion>> last = Optional.empty();
    private int requests;
    private int untilNext;

    OddRegions(Setting setting) {
        this(setting, "odd regions", OddPlace::on, setting.b(), false);
    }

    private OddRegions(Setting setting, String name, Places places, Site far, boolean shares) {
        this.setting = setting;
        lots = setting.lots(name);
        here = places.on(setting, setting.a(), lots);
        there = places.on(setting, far, lots);
        shared = shares ? Optional.of(queue()) : Optional.empty();
        connection = new Renewable(setting, name, lots, here.half(), far(), terms());
        begin();
    }

    /** Both ends' pages come when they are used, where their adapters can; they are evicted, and go, behind the traffic. */
    static OddRegions paged(Setting setting) {
        SplittableRandom which = setting.lots("shared receives of paged regions");
        int any = which.nextInt(6);
        Site far = any == 0 ? older(setting, which) : setting.b();
        return new OddRegions(setting, "paged regions", OddPlace::paged, far, any < 3);
    }

    // rule paging-transports
    /** An adapter whose shared receives wait for no page. */
    private static Site older(Setting setting, SplittableRandom which) {
        World world = setting.world();
        LinkProperties link = LinkProperties.of(200 + which.nextInt(2000), 10_000_000_000L);
        return new Site(world, world.network().addAdapter("older", Profile.CONNECTX_4, link), which);
    }

    private SharedReceiveQueue queue() {
        return setting.world().await(there.domain().createSrq(SrqDescription.DEFAULT));
    }

    private Half far() {
        Half half = there.half();
        return shared.map(half::srq).orElse(half);
    }

    private interface Places {
        OddPlace on(Setting setting, Site site, SplittableRandom lots);
    }

    /** A page may take longer than what comes soon is waited for (rule paging-stream). */
    private RcConnection terms() {
        RcConnection patient = setting.patient(lots);
        return here.kind().isPaged() || there.kind().isPaged() ? patient.withTimeoutCode(PATIENT) : patient;
    }

    private void begin() {
        untilNext = 1 + lots.nextInt(LONGEST_LIFE);
        near = open(here);
        far = open(there);
        Life binder = setting.promises().life("binder of odd regions");
        binder.cutOff();
        far.filter(region -> !connection.isLost()).ifPresent(region -> region.show(connection.remote(), binder));
    }

    /** Empty where a disaster has struck. */
    private Optional<OddRegion> open(OddPlace place) {
        Optional<OddRegion> region = setting.daring("a region that is " + place.kind(), place::open);
        region.ifPresent(opened::add);
        return region;
    }

    @Override
    public void step() {
        if (untilNext-- == 0) {
            if (lots.nextBoolean()) {
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

    /** What is left in a shared queue is of regions that are gone: another life has another one. */
    private void renew() {
        if (shared.isEmpty() || connection.isLost()) {
            connection.renew(terms());
            return;
        }
        setting.daring("shared receives for another life", this::queue).ifPresent(queue -> shared = Optional.of(queue));
        connection.renew(terms(), far());
    }

    private void step(OddRegion from, OddRegion to) {
        OddRegion any = lots.nextBoolean() ? from : to;
        switch (lots.nextInt(16)) {
            case 0, 1, 2 -> {
                mayFail();
                if (anyMishap(any)) {
                    untilNext = Math.min(untilNext, lots.nextInt(6));
                }
            }
            case 3, 4, 5 -> around(any);
            case 6 -> stray(from, to);
            case 7 ->
                last.filter(sent -> here.kind().isPaged() && lots.nextBoolean()).ifPresent(this::settle);
            default -> {
                for (int i = lots.nextInt(3); i >= 0 && from.isOfUse() && to.isOfUse(); i--) {
                    post(from, to);
                }
            }
        }
    }

    private static boolean anyMishap(OddRegion any) {
        try {
            return any.mishap();
        } catch (VerbsException gone) {
            // Its process is.
            return true;
        }
    }

    private void around(OddRegion any) {
        try {
            any.change();
        } catch (VerbsException gone) {
            // A process of its host is.
        }
    }

    /** A READ may be carried out twice, and be refused the second time (rules rc-read-now, rc-ghost). */
    private void mayFail() {
        connection
                .life()
                .mayFailWith(Status.LOC_PROT_ERR, Status.REM_ACCESS_ERR, Status.REM_OP_ERR, Status.RETRY_EXC_ERR);
    }

    private void post(OddRegion from, OddRegion to) {
        int cell = lots.nextInt(OddRegion.CELLS);
        int bytes = 1 + lots.nextInt(Site.CELL);
        switch (to.isForPeers() ? lots.nextInt(8) : 0) {
            case 0, 1 -> send(from, to, bytes);
            case 2, 3, 4 -> write(from, to, cell, bytes);
            case 5, 6 -> read(from, to, cell, bytes);
            default -> fetchAndAdd(from, to);
        }
    }

    private void write(OddRegion from, OddRegion to, int cell, int bytes) {
        RdmaWrite write =
                RdmaWrite.of(++requests, from.slice(OddRegion.source(cell), bytes), to.remote(OddRegion.target(cell)));
        add(
                "WRITE " + requests,
                write,
                () -> same(
                        "WRITE of cell " + cell,
                        from.gives(OddRegion.source(cell), bytes),
                        to.keeps(OddRegion.target(cell), bytes)));
    }

    private void read(OddRegion by, OddRegion of, int cell, int bytes) {
        RdmaRead read =
                RdmaRead.of(++requests, by.slice(OddRegion.target(cell), bytes), of.remote(OddRegion.source(cell)));
        add(
                "READ " + requests,
                read,
                () -> same(
                        "READ of cell " + cell,
                        of.gives(OddRegion.source(cell), bytes),
                        by.keeps(OddRegion.target(cell), bytes)));
    }

    /** All of them begin with the same bytes, as their receives are of the same memory. */
    private void send(OddRegion from, OddRegion to, int bytes) {
        Receive receive = Receive.of(++requests, to.slice(OddRegion.RECEIVE, Site.CELL));
        ReceiveWaves.quietly(() -> post(receive));
        mayWaitForNoPage();
        Send send = Send.of(requests, from.slice(OddRegion.source(0), bytes));
        add(
                "SEND " + requests,
                send,
                () -> same(
                        "SEND " + bytes, from.gives(OddRegion.source(0), bytes), to.keeps(OddRegion.RECEIVE, bytes)));
    }

    private void post(Receive receive) {
        shared.ifPresentOrElse(
                queue -> queue.postReceive(receive), () -> connection.remote().postReceive(receive));
    }

    // rule paging-transports
    /** Where shared receives wait for no page, a message to an absent one ends the life. */
    private void mayWaitForNoPage() {
        boolean waits = there.site()
                .adapter
                .profile()
                .paging()
                .uses(PagingCapabilities.Transport.RC)
                .contains(Use.SHARED_RECEIVE);
        if (shared.isPresent() && there.kind().isPaged() && !waits) {
            mayFail();
            untilNext = Math.min(untilNext, lots.nextInt(6));
        }
    }

    private void fetchAndAdd(OddRegion by, OddRegion of) {
        if (!by.takesAtomics() || !of.takesAtomics()) {
            return;
        }
        FetchAdd add = FetchAdd.of(
                ++requests,
                by.slice(OddRegion.word(requests), Long.BYTES),
                of.remote(OddRegion.word(lots.nextInt(2))),
                1);
        add("FETCH_ADD " + requests, add, () -> {});
    }

    private void stray(OddRegion from, OddRegion to) {
        RdmaWrite astray = RdmaWrite.of(++requests, from.slice(OddRegion.source(0), 1), to.stray());
        untilNext = Math.min(untilNext, lots.nextInt(6));
        if (here.kind().isPaged()) {
            // Behind a response that was dropped the NAK is, too, and its sender answers nothing any more (rule
            // paging-response).
            connection.life().mayFailWith(Status.RETRY_EXC_ERR);
        }
        add(
                "WRITE astray",
                astray,
                () -> {
                    throw new AssertionError("a WRITE to where nobody is let in succeeded: " + astray);
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
            setting.world().await(stage);
        } catch (VerbsException gone) {
            // Nothing more will become of it.
        }
    }

    private static void same(String what, Optional<byte[]> wanted, Optional<byte[]> found) {
        if (wanted.isPresent() && found.isPresent()) {
            Bytes.same(what, wanted.get(), found.get());
        }
    }

    private void end() {
        mayFail();
        near.ifPresent(OddRegion::end);
        far.ifPresent(OddRegion::end);
        near = Optional.empty();
        far = Optional.empty();
    }

    /** Half of the time what was written is still there to be looked at. */
    @Override
    public void windUp() {
        if (lots.nextBoolean()) {
            end();
        }
    }

    @Override
    public void atRest() {
        opened.forEach(OddRegion::atRest);
    }
}
