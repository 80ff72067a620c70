// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

/** An interceptor between queue pairs and their receives; tests use it to withhold receives. */
@FunctionalInterface
public interface ReceivesInterceptor {
    /** Intercepts nothing. */
    ReceivesInterceptor NONE = (adapter, queuePair, receives) -> receives;

    /** A queue pair or target with that number was created; numbers are reused. */
    default void begins(String adapter, int number) {}

    /**
     * Returns the receives that the queue pair's messages see. Called once, at creation; for a DC target, once for each
     * responder.
     */
    Receives around(String adapter, int queuePair, Receives receives);
}
