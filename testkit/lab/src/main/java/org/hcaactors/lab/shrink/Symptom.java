// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.shrink;

import java.util.Arrays;
import java.util.List;
import org.hcaactors.lab.invariant.InvariantBrokenException;
import org.hcaactors.lab.program.AdapterPackages;

/**
 * Failure of a run, reduced to what two runs can share. Two runs with equal symptoms failed the same way.
 *
 * @param kind the invariant that was violated, or the class of the exception
 * @param where the program's line of the failure, since another failed assertion is another failure; empty for invariants,
 *     which may be checked anywhere
 */
public record Symptom(String kind, String where) {
    /** Packages whose frames are not the program's. */
    private static final List<String> NOT_THE_PROGRAM = AdapterPackages.and(
            "java.",
            "jdk.",
            "kotlin.",
            "scala.",
            "org.junit.",
            "org.opentest4j.",
            "org.assertj.",
            "org.apache.pekko.",
            "org.hcaactors.lab.assertion.",
            "org.hcaactors.lab.fault.",
            "org.hcaactors.lab.invariant.",
            "org.hcaactors.lab.world.");

    public static Symptom of(Throwable failure) {
        return failure instanceof InvariantBrokenException broken
                ? new Symptom("invariant " + broken.violation().invariant(), "")
                : new Symptom(failure.getClass().getName(), whereOf(failure));
    }

    private static String whereOf(Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                .takeWhile(frame -> !frame.getClassName().equals(Shrinker.class.getName()))
                .filter(frame -> NOT_THE_PROGRAM.stream().noneMatch(frame.getClassName()::startsWith))
                .findFirst()
                .map(frame -> frame.getClassName() + ":" + frame.getLineNumber())
                .orElse("");
    }

    @Override
    public String toString() {
        return kind;
    }
}
