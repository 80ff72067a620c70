// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.QueuePairReceives;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;

// rule rendezvous-dc
/**
 * Receives of a tag-matching queue's initiator, which has none and fetches data.
 *
 * @param memory access to memory in the queue pair's protection domain
 */
record FetcherReceives(LocalMemory memory, RendezvousFetches fetches) implements QueuePairReceives {
    @Override
    public Supply supply(Packet first, Turn turn) {
        return Supply.EMPTY;
    }

    @Override
    public NoReceive whyEmpty() {
        return NoReceive.NONE_IS_POSTED;
    }

    @Override
    public boolean hasNext() {
        return false;
    }

    @Override
    public Receive next() {
        throw new IllegalStateException("the initiator of a tag-matching queue has no receives");
    }

    @Override
    public void take() {
        next();
    }

    @Override
    public void abandon(Receive receive, Turn turn) {}

    @Override
    public void clear(Turn turn) {}

    @Override
    public void fetch(FetchOrder order, Turn turn) {
        fetches.fetch(order, turn);
    }

    @Override
    public void startFetching(Turn turn) {
        fetches.start(turn);
    }

    @Override
    public void cancelFetching(Turn turn) {
        fetches.cancel(turn);
    }
}
