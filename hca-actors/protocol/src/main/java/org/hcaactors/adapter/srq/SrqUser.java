// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

/** A queue pair as seen by its shared receive queue. Called on the queue's thread; it only sends a message to an actor. */
public interface SrqUser {
    /** The queue is in error: no receive can be taken from it any more. */
    void sharedReceivesFailed(int queue);

    /** The queue is being destroyed, and waits until all users have left it. */
    void srqDestroying(int queue);
}
