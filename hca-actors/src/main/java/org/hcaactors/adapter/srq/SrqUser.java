// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import org.hcaactors.api.work.Receive;

/** A queue pair as its shared receive queue sees it. Called on the queue's thread: it only tells its actor. */
public interface SrqUser {
    /** The answer to {@link SharedReceiveActor.Take}. */
    void taken(Receive receive);

    /** The answer to {@link SharedReceiveActor.Take} where nothing is posted. */
    void nothingToTake();

    /** The queue is in error: nothing can be taken from it any more. */
    void sharedReceivesFailed();
}
