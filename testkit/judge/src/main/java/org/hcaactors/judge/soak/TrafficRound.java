// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.SplittableRandom;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;

/** Many connections, posting threads and consumers at once, without disruptions: all succeeds, and each byte is right. */
final class TrafficRound implements Round {
    private static final int MIN_PAIRS = 4;
    private static final int MAX_PAIRS = 24;
    private static final int MESSAGES = 60;
    private static final int BYSTANDERS = 3;

    @Override
    public void play(WorkerEnvironment environment) {
        SplittableRandom random = environment.random();
        ConnectionGroup.Terms attributes = new ConnectionGroup.Terms(
                random.nextInt(MIN_PAIRS, MAX_PAIRS), random.nextInt(2, 4), MESSAGES, RcConnection.DEFAULT, true);
        try (SoakContext left = environment.left();
                SoakContext right = environment.right()) {
            ConnectionGroup group = new ConnectionGroup(environment, attributes, left, right);
            group.begin();
            for (int i = 0; i < BYSTANDERS; i++) {
                bystander(environment, group);
            }
            group.settle();
        }
    }

    /** Creates and closes another connection on the same queues, which must not disturb the others. */
    private static void bystander(WorkerEnvironment environment, ConnectionGroup group) {
        QpPair<RcQueuePair> pair = environment.await(group.connect());
        environment.await(pair.local().query());
        environment.await(group.sends.resize(environment.random().nextInt(1023, 2047)));
        group.receives.arm(CompletionQueue.Arm.ANY);
        environment.await(pair.remote().closeAsync());
        environment.await(pair.local().destroy());
    }
}
