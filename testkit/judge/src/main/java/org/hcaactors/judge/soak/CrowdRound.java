// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.SplittableRandom;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcPair;

/** Many connections, posting threads and takers at once, undisturbed: all succeeds, and each byte is where it should be. */
final class CrowdRound implements Round {
    private static final int LEAST_PAIRS = 4;
    private static final int MOST_PAIRS = 24;
    private static final int MESSAGES = 60;
    private static final int BYSTANDERS = 3;

    @Override
    public void play(LaneGround ground) {
        SplittableRandom lots = ground.lots();
        Crowd.Terms terms = new Crowd.Terms(
                lots.nextInt(LEAST_PAIRS, MOST_PAIRS), lots.nextInt(2, 4), MESSAGES, RcConnection.DEFAULT, true);
        try (Premises left = ground.left();
                Premises right = ground.right()) {
            Crowd crowd = new Crowd(ground, terms, left, right);
            crowd.begin();
            for (int i = 0; i < BYSTANDERS; i++) {
                bystander(ground, crowd);
            }
            crowd.settle();
        }
    }

    /** One that comes and goes on the same queues disturbs nobody. */
    private static void bystander(LaneGround ground, Crowd crowd) {
        RcPair pair = ground.await(crowd.connect());
        ground.await(pair.local().query());
        ground.await(crowd.sends.resize(ground.lots().nextInt(1023, 2047)));
        crowd.receives.arm(CompletionQueue.Arm.ANY);
        ground.await(pair.remote().closeAsync());
        ground.await(pair.local().destroy());
    }
}
