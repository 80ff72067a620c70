// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Where a thread is, for whoever reads of a failure: the line of the round, and not of what it waits with. */
final class StackLocation {
    private static final String HERE = StackLocation.class.getPackageName();
    private static final String ROUND = "Round.java";
    private static final List<String> JDK = List.of("java.", "jdk.", "sun.");

    /** They do what all rounds do, on behalf of whoever calls them. */
    private static final Set<String> FOR_OTHERS = Set.of(
            "Footprint.java",
            "WorkerEnvironment.java",
            "SoakContext.java",
            "OpenStages.java",
            "Worker.java",
            "Soak.java",
            "StackLocation.java");

    private StackLocation() {}

    /** Of the calling thread. */
    static String here() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::toStackTraceElement)
                        .filter(StackLocation::isOwn)
                        .findFirst())
                .map(StackLocation::line)
                .orElse("the soak");
    }

    /** The line of the soak that a thread is at, and the line of the adapter that it waits in. */
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

    /** The line of the soak from which it came, if it came from one. */
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
