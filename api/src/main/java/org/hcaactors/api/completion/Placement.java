// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

/**
 * On which shard of its network something lives. A shard is one thread: what lives on the same one meets without a thread waking
 * another, and two of them work at a time. A completion queue is placed, and a queue pair lives where its send completions go.
 *
 * <p>Immutable. These are all that there are.
 */
public sealed interface Placement {
    /** One that the network chooses. These are all that there are. */
    enum Chosen implements Placement {
        /** Nobody said anything: where what is named beside it lives, else on shard 0. */
        UNSPECIFIED,
        /** Each shard in its turn. */
        NEXT
    }

    /** As descriptions have it at their end; nothing where nothing was said. */
    default String words() {
        return switch (this) {
            case Chosen chosen -> chosen == Chosen.NEXT ? ", on the next shard" : "";
            case On on -> ", on shard " + on.shard;
        };
    }

    /** @param shard from 0, below {@link org.hcaactors.api.device.Adapter#shards} */
    record On(int shard) implements Placement {}
}
