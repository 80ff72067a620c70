// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Location of a thread for failure messages: the line of the round, not of the method that waits for it. */
final class StackLocation {
    private static final String HERE = StackLocation.class.getPackageName();
    private static final String ROUND = "Round.java";
    private static final List<String> JDK = List.of("java.", "jdk.", "sun.");

    /** Files that act for all rounds, on behalf of their callers. */
    private static final Set<String> FOR_OTHERS = Set.of(
            "Footprint.java",
            "WorkerEnvironment.java",
            "SoakContext.java",
            "OpenStages.java",
            "Worker.java",
            "Soak.java",
            "StackLocation.java");

    private StackLocation() {}

    /** Returns the location of the calling thread. */
    static String ofCaller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::toStackTraceElement)
                        .filter(StackLocation::isOwn)
                        .findFirst())
                .map(StackLocation::line)
                .orElse("the soak");
    }

    /** Returns the soak's line that a thread is at, and the adapter's line that it waits in. */
    static String of(Thread thread) {
        StackTraceElement[] frames = thread.getStackTrace();
        String own = own(frames).orElse("its end");
        return Arrays.stream(frames)
                .filter(frame -> JDK.stream().noneMatch(frame.getClassName()::startsWith))
                .findFirst()
                .filter(frame -> !frame.getClassName().startsWith(HERE))
                .map(frame -> own + ", in " + frame)
                .orElse(own);
    }

    /** Returns the soak's line that threw, if there is one. */
    static Optional<String> of(Throwable thrown) {
        return own(thrown.getStackTrace());
    }

    private static Optional<String> own(StackTraceElement[] frames) {
        List<StackTraceElement> mine =
                Arrays.stream(frames).filter(StackLocation::isOwn).toList();
        Optional<String> round = mine.stream()
                .filter(frame -> String.valueOf(frame.getFileName()).endsWith(ROUND))
                .findFirst()
                .map(StackLocation::line);
        return mine.stream()
                .findFirst()
                .map(StackLocation::line)
                .map(inner -> round.filter(outer -> !outer.equals(inner))
                        .map(outer -> inner + ", for " + outer)
                        .orElse(inner));
    }

    private static boolean isOwn(StackTraceElement frame) {
        return frame.getClassName().startsWith(HERE) && !FOR_OTHERS.contains(frame.getFileName());
    }

    private static String line(StackTraceElement frame) {
        return frame.getFileName() + ":" + frame.getLineNumber();
    }
}
