// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.SplittableRandom;
import org.hcaactors.api.queue.RcConnection;

/** A crowd under which everything goes: whatever that does to its requests, each ends, and what succeeded is right. */
final class UpheavalRound implements Round {
    private static final RcConnection IMPATIENT = RcConnection.DEFAULT
            .withTimeoutCode(10)
            .withRetryCount(2)
            .withRnrRetry(5)
            .withMinRnrTimerCode(6);

    private static final int MESSAGES = 80;
    private static final int MOST_ACTS = 6;

    @Override
    public void play(LaneGround ground) {
        SplittableRandom lots = ground.lots();
        Crowd.Terms terms = new Crowd.Terms(lots.nextInt(2, 10), lots.nextInt(1, 4), MESSAGES, IMPATIENT, false);
        Premises left = ground.left();
        Premises right = ground.right();
        Crowd crowd = new Crowd(ground, terms, left, right);
        Upheaval upheaval = new Upheaval(crowd, lots);
        crowd.begin();
        int acts = lots.nextInt(1, MOST_ACTS);
        for (int i = 0; i < acts; i++) {
            Footprint.rest(lots.nextInt(3));
            upheaval.strike();
        }
        if (lots.nextBoolean()) {
            crowd.posted();
        }
        crowd.stopPosting();
        crowd.settle();
        left.leave();
        right.leave();
        upheaval.checkThatNothingCrashedByItself();
    }
}
