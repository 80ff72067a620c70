// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Side;

/**
 * Reads and writes through indirect keys on either side, which are filled anew all the time; now and then a key behind one
 * goes, or one is invalidated, and then what uses it may fail, and the queue pair has another life.
 */
final class IndirectKeys implements Strand {
    private final Setting setting;
    private final SplittableRandom lots;

    private final Optional<ShownMemory> here;
    private final Optional<ShownMemory> there;

    /** Under no indirect key. */
    private final Side plainHere;

    private final Side plainThere;

    private final Renewable connection;

    /** Fills the peer's key, and sends nothing. */
    private final Optional<RcQueuePair> filler;

    private final Life fillings;

    /** Acts until the next life, once a request may fail. */
    private int untilNext = -1;

    private boolean lost;

    IndirectKeys(Setting setting) {
        this.setting = setting;
        lots = setting.lots("indirect keys");
        here = shown(setting.a());
        there = shown(setting.b());
        plainHere = plain(setting.a());
        plainThere = plain(setting.b());
        RcConnection terms = setting.patient(lots);
        connection = new Renewable(
                setting, "indirect keys", lots, half(setting.a()), setting.b().half(), terms);
        filler = there.map(
                peer -> setting.connected(half(setting.b()), setting.a().half(), setting.patient(lots))
                        .a()
                        .qp());
        fillings = setting.promises().life("fillings of indirect keys");
        begin();
    }

    private Optional<ShownMemory> shown(Site site) {
        try {
            return site.adapter.profile().indirectKeys().supported()
                    ? Optional.of(new ShownMemory(setting, site, lots))
                    : Optional.empty();
        } catch (VerbsException gone) {
            return Optional.empty();
        }
    }

    private Side plain(Site site) {
        Side plain = Side.within(setting.world().network(), site.domain, 2L * Site.CELL * Site.CELLS);
        byte[] pattern = new byte[2 * Site.CELL * Site.CELLS];
        lots.nextBytes(pattern);
        plain.memory().write(0, pattern);
        return plain;
    }

    private static Half half(Site site) {
        return site.adapter.profile().indirectKeys().supported()
                ? site.half().fillingKeys(ShownMemory.ENTRIES)
                : site.half();
    }

    /** From here on everything is shown. */
    private void begin() {
        untilNext = -1;
        here.ifPresent(own -> {
            filled(own.fillInner(connection.local()));
            filled(own.fill(connection.local()));
        });
        there.ifPresent(peer -> {
            filled(peer.fillInner(filler.orElseThrow()));
            filled(peer.fill(filler.orElseThrow()));
        });
    }

    private void filled(CompletionStage<WorkCompletion> filling) {
        try {
            lost |= !setting.world().await(filling).isSuccess();
        } catch (VerbsException gone) {
            lost = true;
        }
    }

    @Override
    public void step() {
        if (lost || connection.isLost()) {
            return;
        }
        here.ifPresent(ShownMemory::evict);
        there.ifPresent(ShownMemory::evict);
        if (untilNext-- == 0) {
            connection.renew(setting.patient(lots));
            if (!connection.isLost()) {
                begin();
            }
            return;
        }
        switch (lots.nextInt(16)) {
            case 0, 1 -> here.ifPresent(own -> own("fill", own.fill(connection.local())));
            case 2, 3 -> there.ifPresent(peer -> peers("fill", peer.fill(filler.orElseThrow())));
            case 4, 5 -> anyMishap();
            default -> {
                for (int i = lots.nextInt(3); i >= 0; i--) {
                    post();
                }
            }
        }
    }

    private void own(String what, CompletionStage<WorkCompletion> change) {
        connection.life().add(what, change, () -> {});
    }

    private void peers(String what, CompletionStage<WorkCompletion> change) {
        fillings.add(what, change, () -> {});
    }

    private void anyMishap() {
        try {
            mishap();
        } catch (VerbsException gone) {
            lost = true;
        }
    }

    private void mishap() {
        boolean theirs = there.isPresent() && (here.isEmpty() || lots.nextBoolean());
        if (theirs) {
            mishap(there, filler.orElseThrow(), this::peers);
        } else {
            mishap(here, connection.local(), this::own);
        }
    }

    private void mishap(
            Optional<ShownMemory> to, RcQueuePair by, BiConsumer<String, CompletionStage<WorkCompletion>> told) {
        to.ifPresent(shown -> {
            mayFail();
            switch (lots.nextInt(3)) {
                case 0 -> shown.partGoes();
                case 1 -> told.accept("invalidate", shown.invalidate(by));
                default -> told.accept("fill wrongly", shown.fillWrongly(by));
            }
        });
    }

    /**
     * A READ that was sent twice on a slow wire is carried out twice. If the key has gone in between, the peer ends its side, and
     * the requester, who has all of that READ, ignores the NAK (rules rc-read-now, rc-ghost).
     */
    private void mayFail() {
        connection.life().mayFailWith(Status.LOC_PROT_ERR, Status.REM_ACCESS_ERR, Status.RETRY_EXC_ERR);
        untilNext = untilNext < 0 ? lots.nextInt(6) : untilNext;
    }

    /** Whether a cell's bytes come from under an indirect key, and go there, is the same each time. */
    private void post() {
        int cell = lots.nextInt(Site.CELLS);
        int bytes = 1 + lots.nextInt(Site.CELL);
        boolean writes = lots.nextBoolean();
        boolean own = here.isPresent() && (cell & 1) == 0;
        boolean theirs = there.isPresent() && (!own || (cell & 2) == 0);
        if (!own && !theirs) {
            return;
        }
        int from = writes ? ShownMemory.source(cell) : ShownMemory.target(cell);
        int to = writes ? ShownMemory.target(cell) : ShownMemory.source(cell);
        LocalSlice local = own ? here.orElseThrow().key().slice(from, bytes) : plainHere.slice(from, bytes);
        RemoteAddress remote = theirs ? there.orElseThrow().key().remote(to) : plainThere.remote(to);
        RcWork work = writes ? RdmaWrite.of(cell, local, remote) : RdmaRead.of(cell, local, remote);
        String what = work.getClass().getSimpleName() + " " + cell;
        Runnable check = () -> {
            byte[] near = own
                    ? here.orElseThrow().read(from, bytes)
                    : plainHere.memory().read(from, bytes);
            byte[] far = theirs
                    ? there.orElseThrow().read(to, bytes)
                    : plainThere.memory().read(to, bytes);
            Bytes.same(what, writes ? near : far, writes ? far : near);
        };
        connection.life().add(what, connection.local().submit(work), check);
    }

    /** They go while they are used. */
    @Override
    public void windUp() {
        mayFail();
        here.ifPresent(ShownMemory::close);
        there.ifPresent(ShownMemory::close);
        fillings.mayFailWith(Status.LOC_QP_OP_ERR);
        connection.life().mayFailWith(Status.LOC_QP_OP_ERR);
    }
}
