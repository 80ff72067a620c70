// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.handle.Handle;

/**
 * A queue pair or target: an object with a number for peers and the states of a queue pair.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: an adapter has 2^24 numbers.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface QueuePairEndpoint extends Handle {
    /** Queue pair number, 24 bits. */
    int number();

    /** Returns entry 0 of its port's GID table, as it is now; together with the number, the address for peers. */
    Gid gid();

    /** Returns the state that the adapter last reported; an outstanding request may change it. */
    QpState state();

    /**
     * Changes the state and attributes ({@code ibv_modify_qp}); EINVAL, and nothing changes, if the transition tables forbid
     * it.
     */
    CompletionStage<Void> modify(QpModify change);

    CompletionStage<QpSnapshot> query();

    /** Destroys it ({@code ibv_destroy_qp}). */
    CompletionStage<Void> destroy();
}
