// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

/**
 * Shard of its network on which an object runs. A shard is one thread: objects on the same shard interact without waking
 * another thread, and different shards run in parallel. A completion queue is placed explicitly; a queue pair runs on the shard
 * of its send completion queue.
 *
 * <p>Immutable. These are all that there are.
 */
public sealed interface Placement {
    /** A shard chosen by the network. These are all that there are. */
    enum Chosen implements Placement {
        /** Not specified: the shard of the objects that the description names, otherwise shard 0. */
        UNSPECIFIED,
        /** The next shard, in rotation. */
        NEXT
    }

    /** Text for the end of a description; empty if nothing is specified. */
    default String text() {
        return switch (this) {
            case Chosen chosen -> chosen == Chosen.NEXT ? ", on the next shard" : "";
            case On on -> ", on shard " + on.shard;
        };
    }

    /** @param shard from 0, below {@link org.hcaactors.api.device.Adapter#shards} */
    record On(int shard) implements Placement {}
}
