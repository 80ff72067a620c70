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
 * Timers of the JDK's in a world: they count real time, of which a world knows nothing, and what hangs on them runs on their own thread,
 * which is none of the world's.
 */
final class RealTime {
    static final String INSTEAD =
            "orTimeout, completeOnTimeout and delayedExecutor of CompletableFuture count real time, on a thread of"
                    + " the JDK's; network.after(duration) and world.executor(process) count the world's";

    /** Who runs them: the first in JDK 21, the others in JDK 25. */
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

    /** Where in the user's code the calling thread is, and what to do instead where a timer of the JDK's has brought it there. */
    static String where() {
        Thread thread = Thread.currentThread();
        String line =
                lineOf(thread.getStackTrace()).map(frame -> ", at " + frame).orElse("");
        boolean timers = THREADS.stream().anyMatch(thread.getName()::startsWith);
        return line + (timers ? "; " + INSTEAD : "");
    }

    /** The innermost one that is the user's. */
    private static Optional<StackTraceElement> lineOf(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(frame -> NOBODYS.stream().noneMatch(frame.getClassName()::startsWith))
                .findFirst();
    }

    /** A timer of the JDK's has ended the stage that failed so. */
    static boolean isTimeout(CompletionException failed) {
        return failed.getCause() instanceof TimeoutException timeout && isOfTimer(timeout.getStackTrace());
    }

    private static boolean isOfTimer(StackTraceElement[] stack) {
        return stack.length == 0 || stack[0].getClassName().startsWith(CompletableFuture.class.getName());
    }

    /** Whose line calls the world. */
    static String caller() {
        return lineOf(Thread.currentThread().getStackTrace())
                .map(StackTraceElement::toString)
                .orElse("an unknown line");
    }

    /** What may have gone unsaid of a stage that nothing in the world can end. */
    static String hint(CompletableFuture<?> stage) {
        return stage.getNumberOfDependents() > 0 ? "\n  if it waits for a timer of the JDK's: " + INSTEAD : "";
    }
}
