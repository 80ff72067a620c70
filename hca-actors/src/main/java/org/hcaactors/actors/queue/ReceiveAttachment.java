// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.List;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.adapter.work.ReceiveSource;

/** The source of one queue pair's receives, and the completions of receives that go to a queue of the source. */
interface ReceiveAttachment {
    ReceiveSource source();

    /** Returns the owner of the slots that completions of receives free. */
    default SlotOwner slots(WorkSlots own) {
        return own.receives();
    }

    /** Returns the numbers of the shared receive queues in use. */
    default List<Integer> numbers() {
        return List.of();
    }

    /** Writes the completions of this turn that do not go to the queue pair's own completion queue. */
    default void dispatchCompletions() {}

    /** Removes the entries of the queue pair from completion queues that are not its own. */
    default void reset() {}

    /** The queue pair is gone. */
    default void leave() {}
}
