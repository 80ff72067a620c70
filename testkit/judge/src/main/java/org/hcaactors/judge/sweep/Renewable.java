// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;

/**
 * A connection that is broken and replaced repeatedly: both ends are reset and connected again, or two new ones take their
 * place.
 */
final class Renewable {
    /** Distance between the first PSNs of two lives, so that late packets of one are ignored in the next. */
    private static final int FAR = 0x08_0000;

    private final SweepContext sweep;
    private final String strand;
    private final SplittableRandom random;
    private final Half from;
    private Half to;
    private Ends<RcEnd> pair;
    private QueuePairLife life;
    private int lives;
    private boolean lost;

    Renewable(SweepContext sweep, String strand, SplittableRandom random, Half from, Half to, RcConnection attributes) {
        this.sweep = sweep;
        this.strand = strand;
        this.random = random;
        this.from = from;
        this.to = to;
        pair = sweep.connected(from, to, attributes);
        life = sweep.promises().life(strand);
    }

    RcQueuePair local() {
        return pair.a().qp();
    }

    RcQueuePair remote() {
        return pair.b().qp();
    }

    QueuePairLife life() {
        return life;
    }

    /** True if a disaster took one end, so that it can't be connected again. */
    boolean isLost() {
        return lost;
    }

    /** Ends this life and begins another. */
    void renew(RcConnection attributes, Status... mayFail) {
        lives++;
        RcConnection distant = withDistantPsns(attributes);
        begin(mayFail, () -> {
            if (random.nextInt(3) == 0) {
                replace(distant);
            } else {
                sweep.world().await(reconnected(distant));
            }
        });
    }

    /** Does the same with two new ends, of which the remote one has the queues of the given half. */
    void renew(RcConnection attributes, Half other) {
        lives++;
        to = other;
        begin(new Status[0], () -> replace(withDistantPsns(attributes)));
    }

    private void replace(RcConnection attributes) {
        Ends<RcEnd> old = pair;
        pair = sweep.connected(from, to, attributes);
        sweep.promises().verb(strand + ": close", old.a().qp().closeAsync());
        sweep.promises().verb(strand + ": destroy", old.b().qp().destroy());
    }

    private RcConnection withDistantPsns(RcConnection attributes) {
        int far = lives * FAR;
        return attributes
                .withSendPsn(attributes.sendPsn() + far & 0xFF_FFFF)
                .withReceivePsn(attributes.receivePsn() + far & 0xFF_FFFF);
    }

    private void begin(Status[] mayFail, Runnable reconnect) {
        life.cutOff();
        boolean begun = sweep.runIfAlive(strand + " cannot be reset", () -> {
            reconnect.run();
            life = sweep.promises().life(strand, mayFail);
        });
        lost = lost || !begun;
    }

    private CompletionStage<Void> reconnected(RcConnection attributes) {
        return reset(pair.a().qp())
                .thenCompose(done -> reset(pair.b().qp()))
                .thenCompose(done -> pair.a()
                        .qp()
                        .connect(pair.b().adapter().gid(), pair.b().qp().number(), attributes))
                .thenCompose(done -> pair.b()
                        .qp()
                        .connect(pair.a().adapter().gid(), pair.a().qp().number(), attributes.reversed()));
    }

    private static CompletionStage<Void> reset(RcQueuePair end) {
        return end.modify(QpModify.to(QpState.RESET));
    }
}
