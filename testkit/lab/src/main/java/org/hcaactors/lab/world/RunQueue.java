// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.dispatch.Mailbox;
import org.hcaactors.lab.chance.RandomStreams;
import org.jspecify.annotations.Nullable;

/** Queue of runnable tasks. Chooses the next one by the schedule and records every choice. Belongs to one thread. */
final class RunQueue {
    /** Chooses an index below the given count. */
    private final IntUnaryOperator choice;

    private final RecordedSchedule.Writer record = new RecordedSchedule.Writer();
    private @Nullable Runnable[] ready = new Runnable[256];
    private int head;
    private int size;

    /** Number of newest tasks that were added by {@link #addByPath} in succession. */
    private int byPath;

    RunQueue(Schedule schedule) {
        choice = switch (schedule) {
            case Schedule.Random seeded -> {
                SplittableRandom random = RandomStreams.of(seeded.seed(), "schedule");
                yield random::nextInt;
            }
            case Schedule.Replay replay -> {
                RecordedSchedule.Reader reader = replay.recorded().reader();
                // A changed program has other choices: the nearest index is taken.
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
        byPath = 0;
        append(task);
    }

    /**
     * Adds an actor that Pekko itself woke, because an actor that it watches or that watches it has stopped. Pekko notifies
     * those actors in the order of a hash that differs in every JVM, so actors woken together are queued in the order of their
     * paths.
     */
    void addByPath(Mailbox woken) {
        append(woken);
        for (int i = size - 1; i > size - 1 - byPath && pathAt(i).compareTo(pathAt(i - 1)) < 0; i--) {
            Runnable later = ready[at(i - 1)];
            ready[at(i - 1)] = ready[at(i)];
            ready[at(i)] = later;
        }
        byPath++;
    }

    private void append(Runnable task) {
        if (size == ready.length) {
            grow();
        }
        ready[at(size++)] = task;
    }

    private int at(int place) {
        return head + place & ready.length - 1;
    }

    private ActorPath pathAt(int place) {
        if (ready[at(place)] instanceof Mailbox mailbox) {
            return mailbox.actor().self().path();
        }
        throw new IllegalStateException("no actor is at " + place);
    }

    /**
     * Removes the next task.
     *
     * @throws IllegalStateException if nothing is ready
     */
    Runnable take() {
        byPath = 0;
        int chosen = 0;
        if (size > 1) {
            chosen = choice.applyAsInt(size);
            record.add(chosen);
        }
        int place = at(chosen);
        Runnable task = ready[place];
        if (size == 0 || task == null) {
            throw new IllegalStateException("no task is ready");
        }
        ready[place] = ready[head];
        ready[head] = null;
        head = (head + 1) & ready.length - 1;
        size--;
        return task;
    }

    private void grow() {
        @Nullable Runnable[] larger = new Runnable[ready.length * 2];
        for (int i = 0; i < size; i++) {
            larger[i] = ready[at(i)];
        }
        ready = larger;
        head = 0;
    }
}
