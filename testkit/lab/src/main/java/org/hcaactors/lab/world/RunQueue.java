package org.hcaactors.lab.world;

import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.hcaactors.lab.chance.Lots;
import org.jspecify.annotations.Nullable;

/** What is ready to run, and which comes next, as the schedule says; it takes every choice down. Belongs to one thread. */
final class RunQueue {
    /** Which of so many. */
    private final IntUnaryOperator choice;

    private final RecordedSchedule.Writer record = new RecordedSchedule.Writer();
    private @Nullable Runnable[] ready = new Runnable[256];
    private int head;
    private int size;

    RunQueue(Schedule schedule) {
        choice = switch (schedule) {
            case Schedule.Random random -> {
                SplittableRandom lots = Lots.of(random.seed(), "schedule");
                yield lots::nextInt;
            }
            case Schedule.Replay replay -> {
                RecordedSchedule.Reader reader = replay.recorded().reader();
                // A changed program has other choices: the nearest one is taken.
                yield count -> Math.min(reader.next(), count - 1);
            }
        };
    }

    boolean isEmpty() {
        return size == 0;
    }

    RecordedSchedule recorded() {
        return record.recorded();
    }

    void add(Runnable task) {
        if (size == ready.length) {
            grow();
        }
        ready[(head + size++) & ready.length - 1] = task;
    }

    /** IllegalStateException when nothing is ready. */
    Runnable take() {
        int chosen = 0;
        if (size > 1) {
            chosen = choice.applyAsInt(size);
            record.add(chosen);
        }
        int at = (head + chosen) & ready.length - 1;
        Runnable task = ready[at];
        if (size == 0 || task == null) {
            throw new IllegalStateException("nothing is ready");
        }
        ready[at] = ready[head];
        ready[head] = null;
        head = (head + 1) & ready.length - 1;
        size--;
        return task;
    }

    private void grow() {
        @Nullable Runnable[] larger = new Runnable[ready.length * 2];
        for (int i = 0; i < size; i++) {
            larger[i] = ready[(head + i) & ready.length - 1];
        }
        ready = larger;
        head = 0;
    }
}
