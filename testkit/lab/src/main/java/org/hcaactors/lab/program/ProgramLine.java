// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.List;

/** The line of a program that called into this project: the innermost frame outside this project and its libraries. */
final class ProgramLine {
    /** Maximum number of frames to search; if none of them is the program's, a library made the call. */
    private static final int MAX_FRAMES = 24;

    private static final List<String> NOT_OF_PROGRAMS = AdapterPackages.and(
            "java.",
            "jdk.",
            "scala.",
            "kotlin.",
            "kotlinx.",
            "org.apache.pekko.",
            "org.hcaactors.fabric.",
            "org.hcaactors.kotlin.",
            CheckedResourceAudit.class.getName(),
            "org.hcaactors.lab.program.Program",
            "org.hcaactors.lab.invariant.",
            "org.hcaactors.lab.world.",
            "org.hcaactors.lab.fault.",
            "org.hcaactors.lab.pair.");

    private static final StackWalker WALKER = StackWalker.getInstance();

    private ProgramLine() {}

    /** Returns {@code Store.put(Store.java:41)}; empty if no program is on the stack. */
    static String ofCaller() {
        return WALKER.walk(frames -> frames.limit(MAX_FRAMES)
                .filter(frame -> NOT_OF_PROGRAMS.stream().noneMatch(frame.getClassName()::startsWith))
                .findFirst()
                .map(frame -> simple(frame.getClassName()) + "." + frame.getMethodName() + "(" + frame.getFileName()
                        + ":" + frame.getLineNumber() + ")")
                .orElse(""));
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
