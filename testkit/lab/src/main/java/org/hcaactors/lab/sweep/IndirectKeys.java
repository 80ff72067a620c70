// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.sweep;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
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

/**
 * Reads and writes through indirect keys on either side, which are filled anew all the time; now and then a key behind one
 * goes, or one is invalidated, and then what uses it may fail, and the queue pair has another life.
 */
final class IndirectKeys implements Strand {
    private final Setting setting;
    private final SplittableRandom lots;

    private final Optional<ShownMemory> here;
    private final Optional<ShownMemory> there;

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
        RcConnection terms = setting.patient(lots);
        connection = new Renewable(
                setting, "indirect keys", lots, half(setting.a()), setting.b().half(), terms);
        filler = there.map(peer -> setting.connected(
                        half(setting.b()), setting.a().half(), setting.patient(lots))
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
            case 4 -> anyMishap();
            default -> post();
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
        boolean goes = lots.nextBoolean();
        if (lots.nextBoolean()) {
            there.ifPresent(peer -> {
                mayFail();
                if (goes) {
                    peer.partGoes();
                } else {
                    peers("invalidate", peer.invalidate(filler.orElseThrow()));
                }
            });
        } else {
            here.ifPresent(own -> {
                mayFail();
                if (goes) {
                    own.partGoes();
                } else {
                    own("invalidate", own.invalidate(connection.local()));
                }
            });
        }
    }

    /**
     * A READ that was sent twice on a slow wire is carried out twice. If the key has gone in between, the peer ends its side, and
     * the requester, who has all of that READ, ignores the NAK (rules rc-read-now, rc-ghost).
     */
    private void mayFail() {
        connection.life().mayFailWith(Status.LOC_PROT_ERR, Status.REM_ACCESS_ERR, Status.RETRY_EXC_ERR);
        untilNext = untilNext < 0 ? lots.nextInt(6) : untilNext;
    }

    private void post() {
        int cell = lots.nextInt(Site.CELLS);
        int bytes = 1 + lots.nextInt(Site.CELL);
        Site a = setting.a();
        Site b = setting.b();
        boolean writes = lots.nextBoolean();
        RcWork work = writes
                ? RdmaWrite.of(cell, local(a.source(cell, bytes)), remote(b.remoteTarget(cell)))
                : RdmaRead.of(cell, local(a.target(cell, bytes)), remote(b.remoteSource(cell)));
        Runnable check = writes
                ? () -> Bytes.same("WRITE " + cell, a.sourceBytes(cell, bytes), b.targetBytes(cell, bytes))
                : () -> Bytes.same("READ " + cell, b.sourceBytes(cell, bytes), a.targetBytes(cell, bytes));
        connection
                .life()
                .add(work.getClass().getSimpleName() + " " + cell, connection.local().submit(work), check);
    }

    /** The same bytes, mostly under the indirect key. */
    private LocalSlice local(LocalSlice plain) {
        return here.filter(own -> lots.nextInt(4) > 0)
                .map(own -> own.key()
                        .slice(plain.address() - setting.a().region.address(), plain.lengthBytes()))
                .orElse(plain);
    }

    private RemoteAddress remote(RemoteAddress plain) {
        return there.filter(peer -> lots.nextInt(4) > 0)
                .map(peer -> peer.key().remote(plain.address() - setting.b().region.address()))
                .orElse(plain);
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
