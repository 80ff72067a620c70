package org.hcaactors.lab.sweep;

import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.RcQueuePair;

/**
 * A connection that has several lives: its strand breaks it, and then both ends are reset and connected again, or two others
 * take their place.
 */
final class Renewable {
    /** So far apart begin the PSNs of two lives that what is late from one is nothing to the next. */
    private static final int FAR = 0x08_0000;

    private final Setting setting;
    private final String strand;
    private final SplittableRandom lots;
    private final QpBuilder<RcQueuePair> from;
    private final QpBuilder<RcQueuePair> to;
    private RcPair pair;
    private Life life;
    private int lives;
    private boolean lost;

    Renewable(
            Setting setting,
            String strand,
            SplittableRandom lots,
            QpBuilder<RcQueuePair> from,
            QpBuilder<RcQueuePair> to,
            RcConnection terms) {
        this.setting = setting;
        this.strand = strand;
        this.lots = lots;
        this.from = from;
        this.to = to;
        pair = setting.world().await(RcPair.connect(from, to, terms));
        life = setting.promises().life(strand);
    }

    RcQueuePair local() {
        return pair.local();
    }

    RcQueuePair remote() {
        return pair.remote();
    }

    Life life() {
        return life;
    }

    /** A disaster took one end, and there will be no other. */
    boolean isLost() {
        return lost;
    }

    /** Ends this life, and begins another. */
    void renew(RcConnection terms, Status... mayFail) {
        lives++;
        int far = lives * FAR;
        RcConnection apart =
                terms.withFirstPsn(terms.sendPsn() + far & 0xFF_FFFF, terms.receivePsn() + far & 0xFF_FFFF);
        life.cutOff();
        try {
            if (lots.nextInt(3) == 0) {
                RcPair old = pair;
                pair = setting.world().await(RcPair.connect(from, to, apart));
                setting.promises().verb(strand + ": close", old.local().closeAsync());
                setting.promises().verb(strand + ": destroy", old.remote().destroy());
            } else {
                setting.world().await(reconnected(apart));
            }
            life = setting.promises().life(strand, mayFail);
        } catch (VerbsException gone) {
            lost = true;
        }
    }

    private CompletionStage<Void> reconnected(RcConnection terms) {
        return reset(pair.local())
                .thenCompose(done -> reset(pair.remote()))
                .thenCompose(done -> ready(pair.local(), setting.b().adapter, pair.remote(), terms))
                .thenCompose(done -> ready(pair.remote(), setting.a().adapter, pair.local(), terms.reversed()));
    }

    private static CompletionStage<Void> reset(RcQueuePair end) {
        return end.modify(QpModify.to(QpState.RESET));
    }

    private static CompletionStage<Void> ready(RcQueuePair end, Adapter peerAt, RcQueuePair peer, RcConnection terms) {
        return end.modify(terms.toInit())
                .thenCompose(done -> end.modify(terms.toReadyToReceive(peerAt.gid(), peer.number())))
                .thenCompose(done -> end.modify(terms.toReadyToSend()));
    }
}
