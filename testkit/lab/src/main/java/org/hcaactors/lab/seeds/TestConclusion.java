// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.function.Consumer;

/**
 * Conclusion of a test after all of its runs, drawn once. Fails the test if requested faults struck nothing.
 *
 * @param name name of the test
 * @param strict true if faults that struck nothing are a failure
 * @param allowance how a test can permit them
 */
public record TestConclusion(SeedTally tally, String name, boolean strict, String allowance) {
    /**
     * Reports the summary.
     *
     * @param report receives the summary
     * @throws AssertionError if requested faults struck nothing
     */
    public void draw(Consumer<String> report) {
        String summary = tally.summary();
        report.accept(summary);
        if (tally.isOfFaults()) {
            System.out.println(name + ": " + summary);
        }
        if (strict) {
            tally.uninjectedFaults().ifPresent(reason -> {
                AssertionError error = new AssertionError(reason + " (" + summary
                        + "): a passing run says nothing about these faults. Arm faults that are injected, or allow it: "
                        + allowance);
                error.setStackTrace(new StackTraceElement[0]); // No line of code is to blame.
                throw error;
            });
        }
    }
}
