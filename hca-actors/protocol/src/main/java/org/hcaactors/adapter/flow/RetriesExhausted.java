// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Reasons why an RC requester gives up. */
public sealed interface RetriesExhausted extends Reason {
    /**
     * The retry count is exhausted.
     *
     * @param last the cause of the retransmission that was not allowed any more
     * @param retryCount configured number of retries
     */
    record Retries(GoBack last, int retryCount) implements RetriesExhausted {}

    /** The responder was not ready {@code rnrRetry} + 1 times. */
    record RnrRetries(int rnrRetry) implements RetriesExhausted {}
}
