// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.error;

import java.time.Duration;

/**
 * What was awaited did not happen in time. No verb failed: what was asked for goes on, and its stage may still complete; who
 * wants it no longer closes what it was asked of. The message says what was waited for, and how long.
 *
 * <p>Threads: any. Limits: none.
 */
public class AwaitTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration waited;

    /**
     * @param what was waited for, as a sentence with its verb: "... is not done"
     * @param waited how long
     */
    public AwaitTimeoutException(String what, Duration waited) {
        super(what);
        this.waited = waited;
    }

    /** How long it was waited, on the clock of the network: on the bench, in virtual time. */
    public Duration waited() {
        return waited;
    }
}
