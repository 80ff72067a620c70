// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.placement;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Adapter;

/** A program that runs on an adapter, at the node where the adapter is placed. Each node has the same one. */
@FunctionalInterface
public interface PlacedProgram {
    /** The program on one adapter. */
    @FunctionalInterface
    interface Running {
        /**
         * Ends its work: connections, and with them the queue pairs. Called once, on a thread that may block, before the adapter leaves its
         * node. The adapter stays as long as it has a queue pair. What it throws, or what its stage fails with, is logged, and counts as its
         * end.
         */
        CompletionStage<Void> end();
    }

    /**
     * Starts on an adapter that was plugged in for it, on a thread that may block. It creates all objects: nothing comes with the
     * adapter from its last node. If it throws, the adapter is removed, and a call that places it fails. At a node that takes the adapter over from
     * another one it is tried again, each second.
     */
    Running start(Adapter adapter) throws Exception;
}
