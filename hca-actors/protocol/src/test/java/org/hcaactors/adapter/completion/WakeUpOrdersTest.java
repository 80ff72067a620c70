// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.adapter.notify.WokenThread;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.Waiter.State;
import org.hcaactors.api.completion.WorkCompletion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

// rules notify-wakes, notify-latched, notify-gone, completion-arm-once, completion-arm-solicited,
// completion-arm-widens,
// completion-arm-forward
/**
 * A completion queue and the thread that it wakes, in every order of a program's and its peers' actions, up to {@value #LENGTH}
 * steps: after each step both equal a plain model, and so do all wake-ups of the thread.
 */
@Tag("judge")
class WakeUpOrdersTest {
    private static final int LENGTH = 6;

    private enum Step {
        ARM,
        ARM_SOLICITED,
        POLL,
        WAIT,
        MESSAGE,
        SOLICITED,
        END
    }

    /** The program's view. */
    private interface Bench {
        void arm(Arm what);

        /** Polls; returns the number of entries. */
        int poll();

        void waits();

        void message(boolean solicited);

        void end();

        State state();

        /** Returns the outcome of each wait, and of each notification. */
        List<String> told();

        Map<NotifyOutcome, Integer> reports();
    }

    /** The machines themselves. */
    private static final class Machines extends QuietEffects implements Bench {
        private final CompletionQueueMachine queue;
        private final WokenThread thread = new WokenThread();
        private final Map<NotifyOutcome, Integer> reports = new EnumMap<>(NotifyOutcome.class);
        private final WorkQueueFeed workQueue = new WorkQueueFeed(slots -> {});

        Machines(boolean firesForUnpolled) {
            queue = new CompletionQueueMachine(
                    new CompletionQueueMachine.Rules(LENGTH, false, true, firesForUnpolled, 0));
        }

        @Override
        public void wake() {
            reports.merge(thread.notified(), 1, Integer::sum);
        }

        @Override
        public void arm(Arm what) {
            if (queue.arm(what)) {
                wake();
            }
        }

        @Override
        public int poll() {
            return queue.take(LENGTH).length;
        }

        @Override
        public void waits() {
            thread.waits();
        }

        @Override
        @SuppressWarnings("unchecked")
        public void message(boolean solicited) {
            WorkCompletion[] entries = {
                WorkCompletion.of(1, Status.SUCCESS, CompletionKind.RECV, 3, 0, OptionalInt.empty())
            };
            boolean[] flags = {solicited};
            queue.completed(new Completions(entries, workQueue, new int[0], new Reply[0], flags), 0, this);
        }

        @Override
        public void end() {
            thread.end();
        }

        @Override
        public State state() {
            return thread.state();
        }

        @Override
        public List<String> told() {
            return thread.told();
        }

        @Override
        public Map<NotifyOutcome, Integer> reports() {
            return reports;
        }
    }

    /** The rules, one statement each. */
    private static final class Model implements Bench {
        private final boolean firesForUnpolled;
        private final List<Boolean> entries = new ArrayList<>();
        /** Number of entries, the oldest ones, that an event reported. */
        private int reported;

        private final List<String> told = new ArrayList<>();
        private final Map<NotifyOutcome, Integer> reports = new EnumMap<>(NotifyOutcome.class);
        private boolean armedForSolicited;
        private boolean armedForAny;
        private boolean kept;
        private State state = State.RUNNING;

        Model(boolean firesForUnpolled) {
            this.firesForUnpolled = firesForUnpolled;
        }

        @Override
        public void arm(Arm what) {
            armedForAny |= what == Arm.ANY;
            armedForSolicited = true;
            List<Boolean> waiting = entries.subList(reported, entries.size());
            if (firesForUnpolled && (armedForAny ? !waiting.isEmpty() : waiting.contains(true))) {
                report();
            }
        }

        @Override
        public int poll() {
            int there = entries.size();
            entries.clear();
            reported = 0;
            return there;
        }

        @Override
        public void waits() {
            if (kept) {
                kept = false;
                told.add("woken");
            } else if (state == State.GONE) {
                told.add("EINVAL");
            } else {
                state = State.WAITING;
                told.add("sleeps");
            }
        }

        @Override
        public void message(boolean solicited) {
            entries.add(solicited);
            if (armedForAny || solicited && armedForSolicited) {
                report();
            }
        }

        private void report() {
            reported = entries.size();
            armedForAny = false;
            armedForSolicited = false;
            switch (state) {
                case WAITING -> {
                    count(NotifyOutcome.WOKEN);
                    state = State.RUNNING;
                    told.add("woken");
                }
                case RUNNING -> {
                    count(NotifyOutcome.LATCHED);
                    kept = true;
                }
                case GONE -> count(NotifyOutcome.THREAD_GONE);
            }
        }

        private void count(NotifyOutcome outcome) {
            reports.merge(outcome, 1, Integer::sum);
        }

        @Override
        public void end() {
            if (state == State.WAITING) {
                told.add("ECANCELED");
            }
            state = State.GONE;
            kept = false;
        }

        @Override
        public State state() {
            return state;
        }

        @Override
        public List<String> told() {
            return told;
        }

        @Override
        public Map<NotifyOutcome, Integer> reports() {
            return reports;
        }
    }

    /** Returns the number of polled entries. */
    private static int play(Step step, Bench bench) {
        switch (step) {
            case ARM -> bench.arm(Arm.ANY);
            case ARM_SOLICITED -> bench.arm(Arm.SOLICITED);
            case POLL -> {
                return bench.poll();
            }
            case WAIT -> bench.waits();
            case MESSAGE -> bench.message(false);
            case SOLICITED -> bench.message(true);
            case END -> bench.end();
        }
        return 0;
    }

    private static List<Step> order(int number) {
        List<Step> steps = new ArrayList<>();
        for (int left = number, i = 0; i < LENGTH; i++, left /= Step.values().length) {
            steps.add(Step.values()[left % Step.values().length]);
        }
        return steps;
    }

    private static int orders() {
        int orders = 1;
        for (int i = 0; i < LENGTH; i++) {
            orders *= Step.values().length;
        }
        return orders;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theWaitingThreadIsNotifiedAsTheModelInEveryOrder(boolean firesForUnpolled) {
        for (int number = 0; number < orders(); number++) {
            List<Step> steps = order(number);
            Bench machines = new Machines(firesForUnpolled);
            Bench model = new Model(firesForUnpolled);
            for (int i = 0; i < LENGTH && !(steps.get(i) == Step.WAIT && model.state() == State.WAITING); i++) {
                int polled = play(steps.get(i), machines);
                boolean same = polled == play(steps.get(i), model)
                        && machines.state() == model.state()
                        && machines.told().equals(model.told())
                        && machines.reports().equals(model.reports());
                if (!same) {
                    assertThat(polled + " " + machines.state() + " " + machines.told() + " " + machines.reports())
                            .as("after %s of %s", steps.subList(0, i + 1), steps)
                            .isEqualTo(model.state() + " " + model.told() + " " + model.reports());
                }
            }
        }
    }

    /** Programs must do it in this order (MLNX_OFED 4.9 AS Notify); then nothing is lost, whatever happened before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aThreadThatArmsPollsAndThenWaitsNeverSleepsWithAnEntry(boolean firesForUnpolled) {
        int slept = 0;
        for (int number = 0; number < orders(); number++) {
            List<Step> steps = order(number);
            if (!isInOrder(steps)) {
                continue;
            }
            Machines machines = new Machines(firesForUnpolled);
            steps.forEach(step -> play(step, machines));
            boolean sleeps = machines.state() == State.WAITING;
            slept += sleeps ? 1 : 0;
            if (sleeps) {
                assertThat(machines.poll()).as("entries after %s", steps).isZero();
            }
        }
        assertThat(slept)
                .as("orders in which there was nothing to be woken for")
                .isPositive();
    }

    /**
     * True for one wait, with an arm for any entry before it and a poll between the two; messages anywhere, and nothing else
     * after the arm.
     */
    private static boolean isInOrder(List<Step> steps) {
        int arm = steps.indexOf(Step.ARM);
        int poll = steps.lastIndexOf(Step.POLL);
        int wait = steps.indexOf(Step.WAIT);
        return arm >= 0
                && arm < poll
                && poll < wait
                && Collections.frequency(steps, Step.WAIT) == 1
                && steps.subList(arm, LENGTH).stream().noneMatch(step -> step == Step.END || step == Step.ARM_SOLICITED)
                && Collections.frequency(steps, Step.ARM) == 1;
    }
}
