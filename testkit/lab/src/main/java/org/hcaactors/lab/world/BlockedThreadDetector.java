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
 * Looks from time to time, from outside, whether the one thread of a world is parked in code of the user's: a {@code join()} on
 * a stage of the world's would wait for ever, since nothing moves there meanwhile. It names the line; if the thread still
 * waits, and there is work that only it could do, the world is stopped, which ends what it waits for.
 */
final class BlockedThreadDetector {
    static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);
    /** Looks at the same wait after which the line is told; after the second, so that a short wait is not told. */
    private static final int TOLD = 2;
    /** Another thread may well be what is waited for: only somebody who waits this long waits in vain. */
    private static final int STOPPED = 10;

    /** They wait for other tests, not for the world: JUnit for those that run elsewhere, a shared world's test for its turn. */
    private static final List<String> THEIR_OWN_BUSINESS =
            List.of("org.junit.", "org.apache.maven.", "org.gradle.", "org.hcaactors.lab.junit.TestWorld");

    /** Below them stands the line that waits. */
    private static final List<String> WAITING = List.of("java.", "jdk.", "sun.", "kotlin.", "kotlinx.", "scala.");

    private final WeakReference<World> world;
    private final Executor later;
    private StackTraceElement[] before = {};
    private int looks;
    /** Who waited when the world was stopped. */
    private Optional<Thread> stopped = Optional.empty();

    private BlockedThreadDetector(World world, Duration between) {
        this.world = new WeakReference<>(world);
        this.later = CompletableFuture.delayedExecutor(between.toMillis(), TimeUnit.MILLISECONDS, Runnable::run);
    }

    /** Until that world is closed by its owner, or nobody knows it any more. */
    static void keep(World world, Duration between) {
        new BlockedThreadDetector(world, between).goOn();
    }

    private void goOn() {
        later.execute(this::look);
    }

    private void look() {
        World watched = world.get();
        // One that was stopped from here is closed, and its owner may wait all the same.
        if (watched == null || stopped.isEmpty() && watched.core().isClosed()) {
            return;
        }
        Thread owner = stopped.orElseGet(watched.core()::owner);
        StackTraceElement[] now =
                owner.getState() == Thread.State.WAITING ? owner.getStackTrace() : new StackTraceElement[0];
        if (stopped.isPresent() && !Arrays.equals(now, before)) {
            return; // it waits no more, and what it does next is not this world's business
        }
        Optional<StackTraceElement> line = lineOf(now);
        looks = line.isEmpty() ? 0 : Arrays.equals(now, before) ? looks + 1 : 1;
        before = now;
        line.ifPresent(waiting -> act(watched, owner, waiting));
        goOn();
    }

    private void act(World watched, Thread owner, StackTraceElement line) {
        String story = "seed " + watched.seed() + ": thread " + owner.getName() + " waits at " + line
                + ", and nothing moves in its world meanwhile; let it go on with world.await(stage)";
        if (looks == TOLD) {
            System.err.println(story);
        } else if (looks >= STOPPED && stopped.isPresent()) {
            owner.interrupt();
        } else if (looks >= STOPPED && watched.core().hasWork()) {
            stopped = Optional.of(owner);
            looks = TOLD;
            Thread.ofPlatform().daemon().name("stops a world").start(() -> watched.stop(story));
        }
    }

    /** The user's line that waits; empty if the thread does not wait in code of the user's. */
    private static Optional<StackTraceElement> lineOf(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(frame -> WAITING.stream().noneMatch(frame.getClassName()::startsWith))
                .findFirst()
                .filter(frame -> THEIR_OWN_BUSINESS.stream().noneMatch(frame.getClassName()::startsWith));
    }
}
