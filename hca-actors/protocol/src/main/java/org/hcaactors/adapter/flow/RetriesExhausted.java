// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

/** Why an RC requester gives up. */
public sealed interface RetriesExhausted extends Reason {
    /**
     * @param last what would have made it send again
     * @param retryCount that it was allowed
     */
    record Retries(GoBack last, int retryCount) implements RetriesExhausted {}

    /** Its receiver was not ready once more than {@code rnrRetry} times. */
    record RnrRetries(int rnrRetry) implements RetriesExhausted {}
}
