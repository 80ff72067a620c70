// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.lab.fault.CrashTarget;

/**
 * Closes a network, with two calls at once, while others post, create and poll; in some rounds an adapter has crashed before.
 */
final class ClosingRound implements Round {
    private static final RcConnection IMPATIENT = RcConnection.DEFAULT
            .withTimeoutCode(10)
            .withRetryCount(2)
            .withRnrRetry(5)
            .withMinRnrTimerCode(6);

    @Override
    public void play(WorkerEnvironment outside) {
        SplittableRandom random = outside.random();
        try (HostedNetwork host = new HostedNetwork(random.nextInt(1, 4))) {
            outside.tally().objects.add(3);
            WorkerEnvironment environment = outside.on(host);
            ConnectionGroup.Terms attributes =
                    new ConnectionGroup.Terms(random.nextInt(2, 12), 3, 1_000_000, IMPATIENT, false);
            ConnectionGroup group =
                    new ConnectionGroup(environment, attributes, environment.left(), environment.right());
            group.begin();
            Footprint.rest(random.nextInt(20));
            if (random.nextInt(4) == 0) {
                environment.crash(new CrashTarget.AdapterItself(random.nextBoolean() ? "a" : "b"));
                environment.given("connecting", "on an adapter that crashed", group.connect());
            }
            environment.together(List.of(
                    host.network()::close,
                    host.network()::close,
                    () -> environment.given("connecting", "during the close of the network", group.connect())));
            group.stopPosting();
            group.settle();
            List<String> left = host.network().leaks().leaks().stream()
                    .map(Object::toString)
                    .toList();
            WorkerEnvironment.check(
                    left.isEmpty(),
                    "after the close of its network a context must have no open objects; open: " + left);
        }
    }
}
