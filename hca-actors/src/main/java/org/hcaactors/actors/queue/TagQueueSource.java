// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.adapter.rendezvous.TagReceiveSource;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.api.completion.WorkCompletion;

/**
 * A tag-matching queue as the source of one queue pair's receives; the queue's actor answers by a message.
 *
 * @param queuePair number of the queue pair
 * @param self receives the answers
 */
record TagQueueSource(SharedReceiveHandle queue, int queuePair, SrqUser self) implements TagReceiveSource {
    @Override
    public int domain() {
        return queue.domain();
    }

    @Override
    public boolean hasInitiator() {
        return queue.hasInitiator();
    }

    @Override
    public void find(TagOpening opening, long cause) {
        queue.find(opening, queuePair, cause, self);
    }

    @Override
    public void withdraw() {
        queue.withdraw(queuePair, self);
    }

    @Override
    public void putBack(TagMatch match) {
        queue.putBack(match, queuePair);
    }

    @Override
    public void fetch(FetchOrder order, long cause) {
        queue.fetch(order, cause);
    }

    @Override
    public int completed(TagMatch match, WorkCompletion completion, boolean last, boolean solicited) {
        queue.complete(match, completion, last, solicited);
        return queue.completions().number();
    }
}
