// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.SplittableRandom;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;

/** A queue pair that is drained repeatedly; it raises SQ_DRAINED once per drain, if requested. */
final class Drains implements Workload {
    private final World world;
    private final SweepContext sweep;
    private final SplittableRandom random;
    private final RandomVerbs verb;
    private final QueuePairLife life;
    private final Ends<RcEnd> pair;
    private int cell;
    private boolean draining;
    private long drainedBefore;
    private boolean notify;

    Drains(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("drains");
        verb = new RandomVerbs(sweep, random);
        life = sweep.promises().life("drains");
        pair = sweep.connected(sweep.patient(random));
    }

    @Override
    public void step() {
        if (random.nextInt(3) > 0) {
            int number = cell++ % SweepNode.CELLS;
            verb.write(pair.a().qp(), life, number, random.nextInt(SweepNode.CELL + 1));
        } else if (draining) {
            resume();
        } else {
            drain();
        }
    }

    private void drain() {
        drainedBefore = drainedEvents();
        notify = random.nextBoolean();
        QpModify change = notify || random.nextBoolean()
                ? QpModify.to(QpState.SQD, new QpAttribute.NotifyWhenDrained(notify))
                : QpModify.to(QpState.SQD);
        draining = isCarriedOut(change);
    }

    /** Moves back to RTS; refused while it drains. */
    private void resume() {
        if (isCarriedOut(QpModify.to(QpState.RTS))) {
            draining = false;
            long times = drainedEvents() - drainedBefore;
            if (world.watch() != Watch.NOBODY && times != (notify ? 1 : 0)) {
                throw new AssertionError("drains: SQ_DRAINED was raised " + times + " times, but "
                        + (notify ? "one event was requested" : "no event was requested"));
            }
        }
    }

    private boolean isCarriedOut(QpModify change) {
        try {
            world.await(pair.a().qp().modify(change));
            return true;
        } catch (VerbsException refused) {
            return false;
        }
    }

    private long drainedEvents() {
        AsyncEvent drained =
                new AsyncEvent(AsyncEvent.Kind.SQ_DRAINED, pair.a().qp().number());
        return sweep.raised(sweep.a(), drained).count();
    }

    /** Waits until what was posted meanwhile is sent. If the queue pair moved to ERR instead, all requests have completed. */
    @Override
    public void finish() {
        for (int i = 0; i < 100 && draining && isInSqd(); i++) {
            world.runFor(Duration.ofMillis(1));
            resume();
        }
    }

    private boolean isInSqd() {
        try {
            return world.await(pair.a().qp().query()).state() == QpState.SQD;
        } catch (VerbsException refused) {
            return false;
        }
    }
}
