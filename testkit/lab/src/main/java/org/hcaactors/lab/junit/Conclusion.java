// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Says once, when all runs of a test are over, what they came to. They fail where faults were asked for and struck nothing.
 *
 * @param context of the method whose runs they are
 * @param name of it
 * @param strict faults that struck nothing are a failure
 * @param annotation that allows them
 */
record Conclusion(SeedTally tally, ExtensionContext context, String name, boolean strict, String annotation)
        implements AutoCloseable {
    @Override
    public void close() {
        String summary = tally.summary();
        context.publishReportEntry("rdma", summary);
        if (tally.isOfFaults()) {
            System.out.println(name + ": " + summary);
        }
        if (strict) {
            tally.vain().ifPresent(why -> {
                AssertionError vain = new AssertionError(why + " (" + summary
                        + "). A green run says nothing about them. Arm faults that strike, or allow it: @" + annotation
                        + "(allowUnstruckFaults = true)");
                vain.setStackTrace(new StackTraceElement[0]); // no line of anybody's is to blame
                throw vain;
            });
        }
    }
}
