// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.api.completion.Waiter.State;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.fault.Trigger;
import org.hcaactors.lab.world.World;
import org.hcaactors.tests.setup.NotifySetup;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

// rules notify-wakes, notify-latched, notify-gone, notify-unit-off, notify-counters
/**
 * Random sequences of arms, polls, waits, messages, interrupts, the end of the thread, the host's unit off and on, and lost
 * notifications: after each step the state equals that of a simple model.
 */
class RandomWakeUpsTest {
    private static final int SEEDS = 60;
    private static final int STEPS = 20;

    /** The model, according to the rules. */
    private static final class Model {
        private final boolean firesForUnpolled;
        private final List<Boolean> entries = new ArrayList<>();
        /** Number of entries, the oldest ones, that an event reported. */
        private int reported;

        private boolean forAny;
        private boolean forSolicited;
        private boolean unitIsOn = true;
        private Optional<WakeCause> kept = Optional.empty();
        private State state = State.RUNNING;
        private final List<WakeCause> wakes = new ArrayList<>();
        private int delivered;
        private int latched;
        private int fallbacks;

        Model(boolean firesForUnpolled) {
            this.firesForUnpolled = firesForUnpolled;
        }

        /** True if it reports. */
        boolean arm(Arm what) {
            forAny |= what == Arm.ANY;
            forSolicited = true;
            List<Boolean> waiting = entries.subList(reported, entries.size());
            return firesForUnpolled && (forAny ? !waiting.isEmpty() : waiting.contains(true)) && disarmed();
        }

        /** True if it reports. */
        boolean message(boolean solicited) {
            entries.add(solicited);
            return (forAny || forSolicited && solicited) && disarmed();
        }

        void polled() {
            entries.clear();
            reported = 0;
        }

        private boolean disarmed() {
            reported = entries.size();
            forAny = false;
            forSolicited = false;
            return true;
        }

        void reports() {
            boolean gone = state == State.GONE;
            if (gone || !unitIsOn) {
                fallbacks++;
            } else {
                delivered++;
                latched += state == State.RUNNING ? 1 : 0;
            }
            WakeCause cause = unitIsOn ? WakeCause.AS_NOTIFY : WakeCause.MSI_FALLBACK;
            if (state == State.WAITING) {
                wakes.add(cause);
                state = State.RUNNING;
            } else if (!gone) {
                kept = kept.or(() -> Optional.of(cause));
            }
        }

        void waits() {
            kept.ifPresent(wakes::add);
            state = kept.isPresent() ? State.RUNNING : State.WAITING;
            kept = Optional.empty();
        }

        void interrupted() {
            state = state == State.WAITING ? State.RUNNING : state;
        }

        void ends() {
            state = State.GONE;
            kept = Optional.empty();
        }
    }

    /** One world. */
    private static final class Run {
        private final World world;
        private final SplittableRandom random;
        private final NotifySetup ground;
        private final Model model;
        private final List<WakeCause> wakes = new ArrayList<>();
        private int losses;

        Run(World world, boolean firesForUnpolled) {
            this.world = world;
            random = RandomStreams.of(world.seed(), "orders of wake-ups");
            ground = new NotifySetup(
                    world,
                    firesForUnpolled ? NotifySetup.PROFILE.with(Quirk.ARM_FIRES_FOR_UNPOLLED) : NotifySetup.PROFILE);
            model = new Model(firesForUnpolled);
            if (random.nextBoolean()) {
                world.faults().loseWakeup(ground.b, ground.inbox.cq, new Trigger.Chance(0.3));
            }
        }

        String step() {
            int step = random.nextInt(60);
            switch (step) {
                case 0 -> {
                    model.ends();
                    world.network().threadsOf(ground.b).end(ground.waiter.number());
                }
                case 1 -> {
                    model.unitIsOn = !model.unitIsOn;
                    world.network().threadsOf(ground.b).turnNotifyUnit(model.unitIsOn);
                }
                case 2 -> {
                    model.interrupted();
                    ground.waiter.interrupt();
                }
                default -> often(step);
            }
            return "step " + step;
        }

        private void often(int step) {
            switch (step % 10) {
                case 0, 1, 2 -> arm(Arm.ANY);
                case 3 -> arm(Arm.SOLICITED);
                case 4 -> {
                    assertThat(ground.inbox.poll()).hasSize(model.entries.size());
                    model.polled();
                }
                case 5, 6, 7 -> waits();
                case 8 -> message(true);
                default -> message(false);
            }
        }

        private void arm(Arm what) {
            ground.inbox.cq.arm(what);
            world.settle();
            reported(model.arm(what));
        }

        private void message(boolean solicited) {
            if (solicited) {
                ground.inbox.solicited();
            } else {
                ground.inbox.message();
            }
            reported(model.message(solicited));
        }

        private void reported(boolean reports) {
            int lost = world.faults().firings().size() - losses;
            losses += lost;
            assertThat(lost).isLessThanOrEqualTo(reports ? 1 : 0);
            if (reports && lost == 0) {
                model.reports();
            }
        }

        private void waits() {
            if (model.state == State.RUNNING) {
                model.waits();
                CompletionStage<WakeCause> wait = ground.waiter.await();
                wait.thenAccept(wakes::add);
            }
        }

        void check(String after) {
            world.settle();
            assertThat(ground.waiter.state()).as(after).isEqualTo(model.state);
            assertThat(wakes).as(after).isEqualTo(model.wakes);
            assertThat(ground.counter("as_notify_delivered")).as(after).isEqualTo(model.delivered);
            assertThat(ground.counter("as_notify_latched")).as(after).isEqualTo(model.latched);
            assertThat(ground.counter("msi_fallback")).as(after).isEqualTo(model.fallbacks);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void inEveryOrderAThreadIsWokenAsOftenAsTheModels(boolean firesForUnpolled) {
        int woken = 0;
        int lost = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            try (World world = World.of(seed)) {
                Run run = new Run(world, firesForUnpolled);
                StringBuilder steps = new StringBuilder("seed " + seed);
                for (int i = 0; i < STEPS; i++) {
                    steps.append(", ").append(run.step());
                    run.check(steps.toString());
                }
                woken += run.wakes.size();
                lost += run.losses;
            }
        }
        assertThat(woken).isGreaterThan(SEEDS);
        assertThat(lost).isPositive();
    }
}
