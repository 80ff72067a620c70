// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.api.work.Receive;
import org.hcaactors.mutation.MutationPoint;

/** A queue pair as its shared receive queue sees it. Called on the queue's thread: it only tells its actor. */
public interface SrqUser {
    /** The answer to who takes a receive. */
    void taken(int queue, Receive receive);

    /** The answer to who looks for the receive of a message to a tag-matching queue. */
    void matched(int queue, TagMatch match);

    /** The same where nothing is posted. */
    @MutationPoint("srq-user.nothing-to-take")
    void nothingToTake(int queue);

    /** The queue is in error: nothing can be taken from it any more. */
    void sharedReceivesFailed(int queue);

    /** The queue goes, and waits until everybody has left it. */
    void sharedReceivesGo(int queue);
}
