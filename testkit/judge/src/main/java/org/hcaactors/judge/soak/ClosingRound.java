// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.lab.fault.Victim;

/** A network that is closed, by two at once, beside posting, creating and polling; perhaps an adapter crashed before. */
final class ClosingRound implements Round {
    private static final RcConnection IMPATIENT = RcConnection.DEFAULT
            .withTimeoutCode(10)
            .withRetryCount(2)
            .withRnrRetry(5)
            .withMinRnrTimerCode(6);

    @Override
    public void play(LaneGround outside) {
        SplittableRandom lots = outside.lots();
        try (Hosting host = new Hosting(lots.nextInt(1, 4))) {
            outside.tally().objects.add(3);
            LaneGround ground = outside.on(host);
            Crowd.Terms terms = new Crowd.Terms(lots.nextInt(2, 12), 3, 1_000_000, IMPATIENT, false);
            Crowd crowd = new Crowd(ground, terms, ground.left(), ground.right());
            crowd.begin();
            Footprint.rest(lots.nextInt(20));
            if (lots.nextInt(4) == 0) {
                ground.crash(new Victim.AdapterItself(lots.nextBoolean() ? "a" : "b"));
                ground.given("connecting", "on an adapter that crashed", crowd.connect());
            }
            ground.together(List.of(
                    host.network()::close,
                    host.network()::close,
                    () -> ground.given("connecting", "beside the end", crowd.connect())));
            crowd.stopPosting();
            crowd.settle();
            List<String> left = host.network().leaks().leaks().stream()
                    .map(Object::toString)
                    .toList();
            LaneGround.check(
                    left.isEmpty(), "after its network was closed nothing should be open, and there is " + left);
        }
    }
}
