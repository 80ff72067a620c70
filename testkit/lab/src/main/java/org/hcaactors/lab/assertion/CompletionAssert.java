// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.assertion;

import org.assertj.core.api.AbstractAssert;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;

/** Assertions on a completion. */
public final class CompletionAssert extends AbstractAssert<CompletionAssert, WorkCompletion> {
    CompletionAssert(WorkCompletion completion) {
        super(completion, CompletionAssert.class);
    }

    public CompletionAssert isSuccess() {
        return hasStatus(Status.SUCCESS);
    }

    public CompletionAssert hasStatus(Status expected) {
        isNotNull();
        if (actual.status() != expected) {
            failWithMessage(
                    "expected request %s of qp%s to end with %s, but it ended with %s",
                    actual.workId(), actual.qpNumber(), expected, actual.status());
        }
        return this;
    }

    public CompletionAssert hasLength(long bytes) {
        isNotNull();
        if (actual.lengthBytes() != bytes) {
            failWithMessage(
                    "expected request %s of qp%s to have %s bytes, but it has %s",
                    actual.workId(), actual.qpNumber(), bytes, actual.lengthBytes());
        }
        return this;
    }
}
