// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

/** A queue pair as its completion queue sees it. Called on the queue's thread: it only tells its actor. */
public interface CqUser {
    /** The queue is in error and takes no more completions. */
    void completionQueueFailed();
}
