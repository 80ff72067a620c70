// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * A failed run with its report as message and the stack trace of the failure. It replaces a failed assertion; any other
 * exception, such as a violated invariant, is its cause.
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
        RdmaFailure failureWithReport = switch (failure) {
            case AssertionFailedError assertion when assertion.isExpectedDefined() -> new RdmaFailure(story, assertion);
            case AssertionFailedError assertion -> new RdmaFailure(story, assertion, assertion.getCause());
            default -> new RdmaFailure(story, failure, isPlain(failure) ? failure.getCause() : failure);
        };
        failureWithReport.setStackTrace(failure.getStackTrace());
        for (Throwable suppressed : failure.getSuppressed()) {
            failureWithReport.addSuppressed(suppressed);
        }
        return failureWithReport;
    }

    private static boolean isPlain(Throwable failure) {
        return failure.getClass() == AssertionError.class;
    }

    /** Returns the original exception. */
    public Throwable failed() {
        return failed;
    }

    /** Returns the message without the class name, which would add nothing. */
    @Override
    public String toString() {
        return String.valueOf(getMessage());
    }
}
