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
 * Connections that end in the middle of their traffic: either end is destroyed, closed, reset or taken to ERR while requests
 * are under way and others are posted. Each has one end alone; what is asked of it at the same instant ends, too.
 */
final class ClosingPairs implements Strand {
    private static final int MOST_ACTS = 12;

    private final Setting setting;
    private final SplittableRandom lots;
    private final AnyVerb verb;
    private Optional<Ends<RcEnd>> pair = Optional.empty();
    private Life life;
    private int untilEnd;
    private int untilNext;
    private int cell;

    ClosingPairs(Setting setting) {
        this.setting = setting;
        lots = setting.lots("closing pairs");
        verb = new AnyVerb(setting, lots);
        life = setting.promises().life("closing pairs");
        begin();
    }

    private void begin() {
        untilEnd = lots.nextInt(MOST_ACTS);
        untilNext = untilEnd + 1 + lots.nextInt(4);
        try {
            Ends<RcEnd> next = setting.connected(impatient());
            life = setting.promises().life("closing pairs");
            for (int i = 0; i < MOST_ACTS; i++) {
                int number = i;
                ReceiveWaves.quietly(() -> next.b().postReceive(setting.b().receiveOf(number)));
            }
            pair = Optional.of(next);
        } catch (VerbsException gone) {
            pair = Optional.empty();
        }
    }

    /**
     * Whose peer is gone learns it soon: after 0.5 ms and up to six retries. Sooner would be too soon for some without any:
     * what a torrent has put into the port first takes 0.4 ms to leave by a wire of 10 Gb/s.
     */
    private RcConnection impatient() {
        return setting.patient(lots).withTimeoutCode(7).withRetryCount(lots.nextInt(7));
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
        verb.submit(on.a().qp(), life, cell++ % Site.CELLS);
        if (lots.nextInt(4) == 0) {
            ReceiveWaves.quietly(() -> on.b().postReceive(setting.b().receiveOf(cell)));
        }
    }

    private void end(Ends<RcEnd> on) {
        boolean here = lots.nextBoolean();
        RcQueuePair one = here ? on.a().qp() : on.b().qp();
        if (here) {
            life.cutOff();
        } else {
            // Its peer is silent from now on, or refuses what it has begun.
            life.mayFailWith(Status.RETRY_EXC_ERR);
        }
        beside(one);
        setting.promises().verb("end of " + one.describe(), ending(one), Errno.EINVAL);
        beside(one);
    }

    private CompletionStage<Void> ending(RcQueuePair one) {
        return switch (lots.nextInt(4)) {
            case 0 -> one.destroy();
            case 1 -> one.closeAsync();
            case 2 -> one.modify(QpModify.to(QpState.RESET));
            default -> one.modify(QpModify.to(QpState.ERR));
        };
    }

    /** What else may be asked at that instant. */
    private void beside(RcQueuePair one) {
        switch (lots.nextInt(6)) {
            case 0 -> setting.promises().verb("query", one.query(), Errno.EINVAL);
            case 1 -> setting.promises().verb("ERR", one.modify(QpModify.to(QpState.ERR)), Errno.EINVAL);
            default -> {}
        }
    }

    /** Both ends go, whatever came of them before. */
    private void leave(Ends<RcEnd> old) {
        life.cutOff();
        Promises promises = setting.promises();
        promises.verb("close", old.a().qp().closeAsync());
        promises.verb(
                "close",
                lots.nextBoolean() ? old.b().qp().closeAsync() : old.b().qp().destroy(),
                Errno.EINVAL);
    }

    @Override
    public void windUp() {
        pair.ifPresent(this::leave);
    }
}
