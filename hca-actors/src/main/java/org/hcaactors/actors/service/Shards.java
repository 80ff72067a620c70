// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.service;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.hcaactors.adapter.number.Limits;
import org.hcaactors.api.completion.Placement;

/**
 * Single-threaded dispatchers of a network. Fabric, adapters, translators and all objects without a placement live on the
 * first; placed objects live on any, and exchange only messages with the others. Threads: any.
 */
public final class Shards {
    private final List<DispatcherSelector> dispatchers;
    private final AtomicInteger turns = new AtomicInteger();

    /** @param dispatchers at least one */
    public Shards(List<DispatcherSelector> dispatchers) {
        this.dispatchers = List.copyOf(dispatchers);
    }

    public int count() {
        return dispatchers.size();
    }

    public DispatcherSelector first() {
        return dispatchers.getFirst();
    }

    public DispatcherSelector at(int shard) {
        return dispatchers.get(shard);
    }

    /**
     * Returns the number of the requested shard.
     *
     * @throws org.hcaactors.api.error.VerbsException EINVAL if it does not exist
     */
    public int of(Placement requested) {
        return switch (requested) {
            case Placement.Chosen chosen -> chosen == Placement.Chosen.NEXT ? next() : 0;
            case Placement.On on -> Limits.within("shard", on.shard(), 0, count() - 1);
        };
    }

    private int next() {
        return Math.floorMod(turns.getAndIncrement(), count());
    }
}
