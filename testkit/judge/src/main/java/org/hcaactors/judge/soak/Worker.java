// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.function.Consumer;

/** Thread that plays one round after the other, and how long it has been in the current round. */
final class Worker {
    private final WorkerEnvironment environment;
    private final Thread thread;
    private volatile String round = "none";
    private volatile long count;
    private long seen = -1;
    private int looks;

    /**
     * Creates the thread.
     *
     * @param play plays until the run is over
     */
    Worker(WorkerEnvironment environment, Consumer<Worker> play) {
        this.environment = environment;
        thread = Thread.ofPlatform().daemon().name("lane-" + environment.lane()).unstarted(() -> play.accept(this));
    }

    WorkerEnvironment environment() {
        return environment;
    }

    void start() {
        thread.start();
    }

    void begins(String name) {
        round = name;
        count++;
    }

    boolean isOver(int millis) {
        try {
            thread.join(millis);
            return !thread.isAlive();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the lanes", interrupted);
        }
    }

    /** True if it was in the same round at each of the last {@code max} calls; to be called periodically. */
    boolean hangsFor(int max) {
        long now = count;
        looks = now == seen ? looks + 1 : 0;
        seen = now;
        return looks >= max;
    }

    /** Describes what it waits for. */
    String story() {
        return words() + " must have ended, but makes no progress; it is at " + StackLocation.of(thread)
                + environment.openStages().openText();
    }

    /** Describes the current round. */
    String words() {
        return "round " + count + " of lane " + environment.lane() + ", \"" + round + "\",";
    }

    /** Interrupts it; the run no longer waits for it. */
    void giveUp() {
        thread.interrupt();
    }
}
