// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.SplittableRandom;
import org.hcaactors.api.queue.RcConnection;

/** Many connections while objects are destroyed at random: every request must complete, and what succeeded must be right. */
final class DisruptionRound implements Round {
    private static final RcConnection IMPATIENT = RcConnection.DEFAULT
            .withTimeoutCode(10)
            .withRetryCount(2)
            .withRnrRetry(5)
            .withMinRnrTimerCode(6);

    private static final int MESSAGES = 80;
    private static final int MAX_ACTS = 6;

    @Override
    public void play(WorkerEnvironment environment) {
        SplittableRandom random = environment.random();
        ConnectionGroup.Terms attributes =
                new ConnectionGroup.Terms(random.nextInt(2, 10), random.nextInt(1, 4), MESSAGES, IMPATIENT, false);
        SoakContext left = environment.left();
        SoakContext right = environment.right();
        ConnectionGroup group = new ConnectionGroup(environment, attributes, left, right);
        DisruptionKind upheaval = new DisruptionKind(group, random);
        group.begin();
        int acts = random.nextInt(1, MAX_ACTS);
        for (int i = 0; i < acts; i++) {
            Footprint.rest(random.nextInt(3));
            upheaval.strike();
        }
        if (random.nextBoolean()) {
            group.posted();
        }
        group.stopPosting();
        group.settle();
        left.leave();
        right.leave();
        upheaval.checkThatNothingCrashedByItself();
    }
}
