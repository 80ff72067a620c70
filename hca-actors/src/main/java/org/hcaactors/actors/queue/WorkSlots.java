// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.api.queue.QpState;

/** Work queues of a queue pair, as seen by the effects of its machine. */
interface WorkSlots {
    /** No work queues: no program posts to the queue pair. */
    WorkSlots NONE = new WorkSlots() {
        @Override
        public SlotOwner sends() {
            throw new IllegalStateException("the queue pair has no send queue");
        }

        @Override
        public SlotOwner receives() {
            throw new IllegalStateException("the queue pair has no receive queue");
        }

        @Override
        public boolean carriesData() {
            return false;
        }

        @Override
        public void entered(QpState now) {}
    };

    /** Returns the owner of the slots that completions of requests free. */
    SlotOwner sends();

    /** Returns the owner of the slots that completions of the queue pair's own receives free. */
    SlotOwner receives();

    /** True if completions may carry inline data. */
    boolean carriesData();

    /** The queue pair has entered a state. */
    void entered(QpState now);
}
