// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

/** The requests of a queue pair from posting to completion, as far as its states have to do with them. */
public interface SendQueue {
    void add(PostedRequest posted);

    /** Every request left completes with WR_FLUSH_ERR, signaled or not (rule qp-flush). */
    void flush(Turn turn);

    /** Every request left disappears without completion. */
    void reset(Turn turn);

    /** Posted and not started. */
    int waiting();

    /** Started and not done. */
    int started();
}
