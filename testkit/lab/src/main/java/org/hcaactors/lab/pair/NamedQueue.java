// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.work.Receive;
import org.hcaactors.network.RdmaNetwork;

/**
 * An XRC shared receive queue that peers name, with its side.
 *
 * @param side side whose memory is reached by requests that name the queue
 * @param completions completion queue of messages that took a receive of the queue
 */
public record NamedQueue(Side side, SharedReceiveQueue queue, CompletionQueue completions) {
    /** Creates a queue in an XRC domain that the side's context has open. */
    public static NamedQueue in(
            RdmaNetwork network,
            XrcDomain domain,
            Side side,
            CompletionQueue completions,
            SrqDescription<SharedReceiveQueue> size) {
        return new NamedQueue(
                side, network.await(side.domain().createSrq(size.withXrc(domain, completions))), completions);
    }

    /** Returns the number of the queue, of 24 bits. */
    public int number() {
        return queue.number();
    }

    public void postReceive(Receive receive) {
        queue.postReceive(receive);
    }
}
