// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.error;

import java.time.Duration;

/**
 * Thrown if a wait times out. No verb failed: the operation continues, and its stage may still complete. A caller that no
 * longer needs it closes the object it was called on. The message names the condition and the time.
 *
 * <p>Threads: any. Limits: none.
 */
public class AwaitTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration waited;

    /**
     * @param what the awaited condition, as a sentence with its verb: "... is not done"
     * @param waited how long the caller waited
     */
    public AwaitTimeoutException(String what, Duration waited) {
        super(what);
        this.waited = waited;
    }

    /** Returns the time waited, on the clock of the network (in a testkit world: virtual time). */
    public Duration waited() {
        return waited;
    }
}
