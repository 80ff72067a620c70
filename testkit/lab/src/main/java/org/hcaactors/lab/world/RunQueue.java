package org.hcaactors.lab.world;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What is ready to run, and which comes next: in order, or as a seed says. Belongs to one thread. */
final class RunQueue {
    /** How the next task is chosen. */
    enum Order {
        FIRST_IN_FIRST_OUT,
        RANDOM
    }

    private final Order order;
    private final SplittableRandom choices;
    private @Nullable Runnable[] ready = new Runnable[256];
    private int head;
    private int size;

    RunQueue(Order order, long seed) {
        this.order = order;
        this.choices = new SplittableRandom(seed);
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Runnable task) {
        if (size == ready.length) {
            grow();
        }
        ready[(head + size++) & ready.length - 1] = task;
    }

    /** IllegalStateException when nothing is ready. */
    Runnable take() {
        int chosen = order == Order.RANDOM && size > 1 ? choices.nextInt(size) : 0;
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
