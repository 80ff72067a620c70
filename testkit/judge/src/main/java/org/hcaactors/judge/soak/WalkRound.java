// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.judge.walk.FaultProfile;
import org.hcaactors.judge.walk.Walk;
import org.hcaactors.judge.walk.WalkEnvironment;

/** A random walk over the verbs, checked against its model, on real threads. */
final class WalkRound implements Round {
    private static final int STEPS = 120;

    @Override
    public void play(WorkerEnvironment environment) {
        String name = "walker-" + environment.tally().processes.incrementAndGet();
        Walk.Sum sum = new Walk(
                        new Threads(environment),
                        environment.random(),
                        name,
                        environment.random().nextBoolean())
                .walk(STEPS);
        environment.tally().requests.add(sum.succeeded() + sum.failed());
        environment.tally().objects.add(sum.objects());
    }

    /** A worker's two adapters; their work continues by itself while the walk waits. */
    private record Threads(WorkerEnvironment ground) implements WalkEnvironment {
        private static final int MAX_LOOKS = 10_000;
        private static final int SPINS = 200;
        private static final int MILLIS_OF_REST = 5;

        @Override
        public List<Adapter> adapters() {
            return List.of(ground.a(), ground.b());
        }

        @Override
        public FaultProfile severity() {
            return FaultProfile.FAIR;
        }

        @Override
        public boolean hasOneThread() {
            return false;
        }

        /** Returns the code of half a second. */
        @Override
        public int minTimeoutCode() {
            return 17;
        }

        @Override
        public void goOn(int nanos) {
            for (int i = 0; i < nanos; i++) {
                Thread.onSpinWait();
            }
        }

        /** Checks often at first, since most answers arrive at once. */
        @Override
        public boolean goOnUntil(BooleanSupplier done) {
            for (int i = 0; i < MAX_LOOKS; i++) {
                if (done.getAsBoolean()) {
                    return true;
                }
                if (i < SPINS) {
                    goOn(SPINS);
                } else {
                    Footprint.rest(1);
                }
            }
            return done.getAsBoolean();
        }

        /** Real threads do not report that they are idle. */
        @Override
        public boolean comeToRest() {
            Footprint.rest(MILLIS_OF_REST);
            return false;
        }
    }
}
