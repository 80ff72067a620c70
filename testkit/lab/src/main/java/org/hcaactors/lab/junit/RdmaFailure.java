// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import org.opentest4j.AssertionFailedError;

/**
 * A failed run, told once, in the order in which it is needed: what failed comes first, and the stack trace is its own. It stands for the
 * failed assertion; what else was thrown, a broken invariant too, is its cause.
 */
final class RdmaFailure extends AssertionFailedError {
    private static final long serialVersionUID = 1L;

    private RdmaFailure(String story, Throwable cause) {
        super(story, cause);
    }

    private RdmaFailure(String story, AssertionFailedError failed) {
        super(story, failed.getExpected(), failed.getActual(), failed.getCause());
    }

    static RdmaFailure of(Throwable failure, String story) {
        RdmaFailure told = switch (failure) {
            case AssertionFailedError failed when failed.isExpectedDefined() -> new RdmaFailure(story, failed);
            case AssertionFailedError failed -> new RdmaFailure(story, failed.getCause());
            default ->
                new RdmaFailure(story, failure.getClass() == AssertionError.class ? failure.getCause() : failure);
        };
        told.setStackTrace(failure.getStackTrace());
        for (Throwable suppressed : failure.getSuppressed()) {
            told.addSuppressed(suppressed);
        }
        return told;
    }

    /** Without the name of the class, which says nothing that the story does not. */
    @Override
    public String toString() {
        return String.valueOf(getMessage());
    }
}
