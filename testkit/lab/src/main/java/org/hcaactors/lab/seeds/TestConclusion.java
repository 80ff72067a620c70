// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.function.Consumer;

/**
 * Says once, when all runs of a test are over, what they came to. They fail where faults were asked for and struck nothing.
 *
 * @param name of the test
 * @param strict faults that struck nothing are a failure
 * @param allowance how a test allows them
 */
public record TestConclusion(SeedTally tally, String name, boolean strict, String allowance) {
    /**
     * @param report is given the summary
     * @throws AssertionError if the runs prove nothing
     */
    public void draw(Consumer<String> report) {
        String summary = tally.summary();
        report.accept(summary);
        if (tally.isOfFaults()) {
            System.out.println(name + ": " + summary);
        }
        if (strict) {
            tally.vain().ifPresent(reason -> {
                AssertionError vain = new AssertionError(reason + " (" + summary
                        + "). A green run says nothing about them. Arm faults that strike, or allow it: " + allowance);
                vain.setStackTrace(new StackTraceElement[0]); // no line of anybody's is to blame
                throw vain;
            });
        }
    }
}
