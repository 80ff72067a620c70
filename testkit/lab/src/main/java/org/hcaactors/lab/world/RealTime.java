// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.hcaactors.lab.program.AdapterPackages;

/**
 * Detects JDK timers in a world. They count real time, which a world does not know, and their dependents run on a JDK thread,
 * which is not the world's.
 */
final class RealTime {
    static final String INSTEAD =
            "orTimeout, completeOnTimeout and delayedExecutor of CompletableFuture count real time, on a thread of"
                    + " the JDK's; network.after(duration) and world.executor(process) count the world's";

    /** Names of the JDK's timer threads: the first in JDK 21, the others in JDK 25. */
    private static final List<String> THREADS = List.of(
            "CompletableFutureDelayScheduler", "ForkJoinPool-delayScheduler", "ForkJoinPool.commonPool-delayScheduler");

    private static final List<String> NOBODYS = AdapterPackages.and(
            "java.",
            "jdk.",
            "sun.",
            "kotlin.",
            "kotlinx.",
            "scala.",
            "org.apache.pekko.",
            World.class.getPackageName() + ".");

    private RealTime() {}

    /** Returns the user's line at which the calling thread is, with advice if a JDK timer runs it. */
    static String where() {
        Thread thread = Thread.currentThread();
        String line =
                lineOf(thread.getStackTrace()).map(frame -> ", at " + frame).orElse("");
        boolean timers = THREADS.stream().anyMatch(thread.getName()::startsWith);
        return line + (timers ? "; " + INSTEAD : "");
    }

    /** Returns the innermost frame in user code. */
    private static Optional<StackTraceElement> lineOf(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(frame -> NOBODYS.stream().noneMatch(frame.getClassName()::startsWith))
                .findFirst();
    }

    /** True if a JDK timer ended the stage that failed so. */
    static boolean isTimeout(CompletionException failed) {
        return failed.getCause() instanceof TimeoutException timeout && isOfTimer(timeout.getStackTrace());
    }

    private static boolean isOfTimer(StackTraceElement[] stack) {
        return stack.length == 0 || stack[0].getClassName().startsWith(CompletableFuture.class.getName());
    }

    /** Returns the user's line that calls the world. */
    static String caller() {
        return lineOf(Thread.currentThread().getStackTrace())
                .map(StackTraceElement::toString)
                .orElse("an unknown line");
    }

    /** Advice for a stage that nothing in the world can complete. */
    static String hint(CompletableFuture<?> stage) {
        return stage.getNumberOfDependents() > 0 ? "\n  if it waits for a timer of the JDK's: " + INSTEAD : "";
    }
}
