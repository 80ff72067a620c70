// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.util.concurrent.CompletionException;

/** Failures of stages. */
final class StageFailure {
    private StageFailure() {}

    /** Returns the failure itself, without the exception that a dependent stage wraps around it. */
    static Throwable itself(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
