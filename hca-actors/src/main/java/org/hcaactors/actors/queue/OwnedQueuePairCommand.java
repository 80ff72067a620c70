// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.api.queue.QpModify;

/** Commands of a queue pair that belongs to another object instead of a program. */
public sealed interface OwnedQueuePairCommand
        permits QueuePairInput, OwnedQueuePairCommand.BringUp, OwnedQueuePairCommand.Note {
    /** Commands without data. */
    enum Note implements OwnedQueuePairCommand {
        /** Another peer needs this queue pair. */
        YIELD,
        /** The queue pair is destroyed; completions of outstanding work are written first. */
        END
    }

    /** A state change while the queue pair is brought up. */
    record BringUp(QpModify step) implements OwnedQueuePairCommand {}
}
