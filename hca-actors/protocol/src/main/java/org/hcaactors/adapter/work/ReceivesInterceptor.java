// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

/** Who may stand between queue pairs and their receives: the bench does, to withhold them. */
@FunctionalInterface
public interface ReceivesInterceptor {
    /** Nobody does. */
    ReceivesInterceptor NONE = (adapter, queuePair, receives) -> receives;

    /** A number that comes again is another queue pair, or another target. */
    default void begins(String adapter, int number) {}

    /** What that queue pair's messages see of its receives; asked once, when it is made: of a target, for each responder. */
    Receives around(String adapter, int queuePair, Receives receives);
}
