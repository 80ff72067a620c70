// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;

/**
 * Connections that end during their traffic: one end is destroyed, closed, reset or moved to ERR while requests are in progress
 * and others are posted. Each connection ends once; other verbs called on it at the same instant complete, too.
 */
final class ConnectionCloseRaces implements Workload {
    private static final int MAX_ACTS = 12;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final RandomVerbs verb;
    private Optional<Ends<RcEnd>> pair = Optional.empty();
    private QueuePairLife life;
    private int untilEnd;
    private int untilNext;
    private int cell;

    ConnectionCloseRaces(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("closing pairs");
        verb = new RandomVerbs(sweep, random);
        life = sweep.promises().life("closing pairs");
        begin();
    }

    private void begin() {
        untilEnd = random.nextInt(MAX_ACTS);
        untilNext = untilEnd + 1 + random.nextInt(4);
        try {
            Ends<RcEnd> next = sweep.connected(impatient());
            life = sweep.promises().life("closing pairs");
            for (int i = 0; i < MAX_ACTS; i++) {
                int number = i;
                ReceiveWaves.quietly(() -> next.b().postReceive(sweep.b().receiveOf(number)));
            }
            pair = Optional.of(next);
        } catch (VerbsException refused) {
            pair = Optional.empty();
        }
    }

    /**
     * Returns attributes with a short timeout: a queue pair whose peer is gone notices after 0.5 ms and up to six retries. A
     * shorter timeout would be too short with no retries, since the large messages already queued at the port take 0.4 ms to
     * leave on a 10 Gb/s link.
     */
    private RcConnection impatient() {
        return sweep.patient(random).withTimeoutCode(7).withRetryCount(random.nextInt(7));
    }

    @Override
    public void step() {
        if (untilNext-- == 0) {
            pair.ifPresent(this::leave);
            begin();
        }
        pair.ifPresent(this::act);
    }

    private void act(Ends<RcEnd> on) {
        if (untilEnd-- == 0) {
            end(on);
        }
        verb.submit(on.a().qp(), life, cell++ % SweepNode.CELLS);
        if (random.nextInt(4) == 0) {
            ReceiveWaves.quietly(() -> on.b().postReceive(sweep.b().receiveOf(cell)));
        }
    }

    private void end(Ends<RcEnd> on) {
        boolean local = random.nextBoolean();
        RcQueuePair one = local ? on.a().qp() : on.b().qp();
        if (local) {
            life.cutOff();
        } else {
            // The peer is silent from now on, or refuses what it has begun.
            life.mayFailWith(Status.RETRY_EXC_ERR);
        }
        beside(one);
        sweep.promises().verb("end of " + one.describe(), ending(one), Errno.EINVAL);
        beside(one);
    }

    private CompletionStage<Void> ending(RcQueuePair one) {
        return switch (random.nextInt(4)) {
            case 0 -> one.destroy();
            case 1 -> one.closeAsync();
            case 2 -> one.modify(QpModify.to(QpState.RESET));
            default -> one.modify(QpModify.to(QpState.ERR));
        };
    }

    /** Calls another verb at the same instant. */
    private void beside(RcQueuePair one) {
        switch (random.nextInt(6)) {
            case 0 -> sweep.promises().verb("query", one.query(), Errno.EINVAL);
            case 1 -> sweep.promises().verb("ERR", one.modify(QpModify.to(QpState.ERR)), Errno.EINVAL);
            default -> {}
        }
    }

    /** Closes both ends, whatever their state. */
    private void leave(Ends<RcEnd> old) {
        life.cutOff();
        PendingStages promises = sweep.promises();
        promises.verb("close", old.a().qp().closeAsync());
        promises.verb(
                "close",
                random.nextBoolean() ? old.b().qp().closeAsync() : old.b().qp().destroy(),
                Errno.EINVAL);
    }

    @Override
    public void finish() {
        pair.ifPresent(this::leave);
    }
}
