// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * A failed run, told once, in the order in which it is needed: what failed comes first, and the stack trace is its own. It stands for the
 * failed assertion; what else was thrown, a broken invariant too, is its cause.
 */
public final class RdmaFailure extends AssertionFailedError {
    private static final long serialVersionUID = 1L;

    private final transient Throwable failed;

    private RdmaFailure(String story, Throwable failed, @Nullable Throwable cause) {
        super(story, cause);
        this.failed = failed;
    }

    private RdmaFailure(String story, AssertionFailedError failed) {
        super(story, failed.getExpected(), failed.getActual(), failed.getCause());
        this.failed = failed;
    }

    static RdmaFailure of(Throwable failure, String story) {
        RdmaFailure told = switch (failure) {
            case AssertionFailedError assertion when assertion.isExpectedDefined() -> new RdmaFailure(story, assertion);
            case AssertionFailedError assertion -> new RdmaFailure(story, assertion, assertion.getCause());
            default -> new RdmaFailure(story, failure, isPlain(failure) ? failure.getCause() : failure);
        };
        told.setStackTrace(failure.getStackTrace());
        for (Throwable suppressed : failure.getSuppressed()) {
            told.addSuppressed(suppressed);
        }
        return told;
    }

    private static boolean isPlain(Throwable failure) {
        return failure.getClass() == AssertionError.class;
    }

    /** What was thrown. */
    public Throwable failed() {
        return failed;
    }

    /** Without the name of the class, which says nothing that the story does not. */
    @Override
    public String toString() {
        return String.valueOf(getMessage());
    }
}
