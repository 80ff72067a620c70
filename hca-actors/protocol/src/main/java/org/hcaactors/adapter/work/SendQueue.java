// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

/** Requests of a queue pair from posting to completion, as far as its state transitions affect them. */
public interface SendQueue {
    void add(PostedRequest posted);

    /** Completes all remaining requests with WR_FLUSH_ERR, signaled or not (rule qp-flush). */
    void flush(Turn turn);

    /** Drops all remaining requests without completion. */
    void reset(Turn turn);

    /** Number of requests posted and not started. */
    int waiting();

    /** Number of requests started and not complete. */
    int started();
}
