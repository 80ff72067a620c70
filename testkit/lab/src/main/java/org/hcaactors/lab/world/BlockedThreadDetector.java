// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Watchdog of one world. From another thread it checks periodically whether the world's thread is parked in user code: a
 * {@code join()} on one of the world's stages would wait forever, since nothing runs meanwhile. It reports the line. If the
 * thread still waits and the world has work that only this thread could do, it stops the world, which completes the stage.
 */
final class BlockedThreadDetector {
    static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);
    /**
     * Looks at the same wait after which the line is reported. It is not the first look, so that a short wait is not reported.
     */
    private static final int TOLD = 2;
    /**
     * Looks after which the world is stopped. The thread may wait for another thread, so only a wait this long counts as
     * blocked.
     */
    private static final int STOPPED = 10;

    /**
     * Frames of waits that do not concern the world: JUnit waits for tests on other threads, a shared world's test for its
     * turn.
     */
    private static final List<String> THEIR_OWN_BUSINESS =
            List.of("org.junit.", "org.apache.maven.", "org.gradle.", "org.hcaactors.lab.junit.TestWorld");

    /** Packages that are skipped to find the user's line, which is the first frame below them. */
    private static final List<String> WAITING = List.of("java.", "jdk.", "sun.", "kotlin.", "kotlinx.", "scala.");

    private final WeakReference<World> world;
    private final Executor later;
    private StackTraceElement[] before = {};
    private int looks;
    /** The owner that waited when the world was stopped. */
    private Optional<Thread> stopped = Optional.empty();

    private BlockedThreadDetector(World world, Duration between) {
        this.world = new WeakReference<>(world);
        this.later = CompletableFuture.delayedExecutor(between.toMillis(), TimeUnit.MILLISECONDS, Runnable::run);
    }

    /** Watches the world until its owner closes it or it is garbage collected. */
    static void keep(World world, Duration between) {
        new BlockedThreadDetector(world, between).goOn();
    }

    private void goOn() {
        later.execute(this::look);
    }

    private void look() {
        World watched = world.get();
        // A world that was stopped here is closed, but its owner may still wait.
        if (watched == null || stopped.isEmpty() && watched.core().isClosed()) {
            return;
        }
        Thread owner = stopped.orElseGet(watched.core()::owner);
        StackTraceElement[] now =
                owner.getState() == Thread.State.WAITING ? owner.getStackTrace() : new StackTraceElement[0];
        if (stopped.isPresent() && !Arrays.equals(now, before)) {
            return; // The owner no longer waits there; its next actions do not concern this world.
        }
        Optional<StackTraceElement> line = lineOf(now);
        looks = line.isEmpty() ? 0 : Arrays.equals(now, before) ? looks + 1 : 1;
        before = now;
        line.ifPresent(waiting -> act(watched, owner, waiting));
        goOn();
    }

    private void act(World watched, Thread owner, StackTraceElement line) {
        String story = "seed " + watched.seed() + ": thread " + owner.getName() + " waits at " + line
                + ", which blocks its world; use world.await(stage) instead";
        if (looks == TOLD) {
            System.err.println(story);
        } else if (looks >= STOPPED && stopped.isPresent()) {
            owner.interrupt();
        } else if (looks >= STOPPED && watched.core().hasWork()) {
            stopped = Optional.of(owner);
            looks = TOLD;
            Thread.ofPlatform().daemon().name("blocked thread detector").start(() -> watched.stop(story));
        }
    }

    /** Returns the user's line that waits; empty if the thread does not wait in user code. */
    private static Optional<StackTraceElement> lineOf(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(frame -> WAITING.stream().noneMatch(frame.getClassName()::startsWith))
                .findFirst()
                .filter(frame -> THEIR_OWN_BUSINESS.stream().noneMatch(frame.getClassName()::startsWith));
    }
}
