// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.service;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.hcaactors.adapter.number.Limits;
import org.hcaactors.api.completion.Placement;

/**
 * The one-thread dispatchers of a network. On the first of them live fabric, adapters, translators and whatever is not placed;
 * what is placed lives on any, and meets the rest by messages alone. Threads: any.
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

    /** Number of the shard that is wanted; VerbsException (EINVAL) for one that there is not. */
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
