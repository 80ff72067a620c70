// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.xrc;

import java.util.Optional;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.work.QueuePairReceives;
import org.hcaactors.adapter.work.ReceiveParts;
import org.hcaactors.adapter.work.ReceiveSource;
import org.hcaactors.adapter.work.SharedReceiveSource;
import org.hcaactors.api.completion.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** The shared receive queues of an XRC domain, each of which a request may name, as the source of a queue pair's receives. */
public interface XrcReceiveSource extends ReceiveSource {
    /** A shared receive queue that the queue pair uses since a request named it. */
    interface Joined extends SharedReceiveSource {
        // rule xrc-completion
        /**
         * Writes a receive completion to the completion queue of the shared receive queue; frees one of its slots when it is
         * taken from there.
         *
         * @param inlineData inline data of the completion, if any
         * @return number of the completion queue
         */
        int completed(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData);

        /** Stops using the shared receive queue. */
        void leave();
    }

    // rule xrc-domain
    /** Starts to use the shared receive queue of that number; empty if the XRC domain has none. */
    Optional<Joined> join(int number);

    @Override
    default QueuePairReceives receives(ReceiveParts parts) {
        return new XrcReceives(this, parts);
    }

    @Override
    default boolean isShared() {
        return true;
    }
}
