// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.handle.Handle;

/**
 * What a peer reaches by its number, and what has the states of a queue pair.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: an adapter has 2^24 numbers.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface QueuePairEndpoint extends Handle {
    /** 24 bits. */
    int number();

    /** With the number, what a peer connects to: entry 0 of its port's GID table, as it is now. */
    Gid gid();

    /** The state as last told by the adapter; a request on its way may be about to change it. */
    QpState state();

    /** Moves the state machine ({@code ibv_modify_qp}); EINVAL, and nothing changed, where the tables forbid it. */
    CompletionStage<Void> modify(QpModify change);

    CompletionStage<QpSnapshot> query();

    /** Destroys it ({@code ibv_destroy_qp}). */
    CompletionStage<Void> destroy();
}
