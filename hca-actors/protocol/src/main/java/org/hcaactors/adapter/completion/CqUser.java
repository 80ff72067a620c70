// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

/** A queue pair as seen by its completion queue. Called on the completion queue's thread; it only sends a message to an actor. */
public interface CqUser {
    /** The completion queue is in error and accepts no more completions. */
    void completionQueueFailed();
}
