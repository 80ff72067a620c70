// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.flow;

/**
 * Where events go. Called from the actors' threads; an implementation for several threads must be safe for them and must
 * not block.
 */
public interface TraceSink {
    /** Records nothing and costs nothing. */
    TraceSink NONE = new TraceSink() {
        @Override
        public boolean enabled() {
            return false;
        }

        @Override
        public long nextId() {
            return 0;
        }

        @Override
        public void record(TraceEvent event) {}

        @Override
        public boolean takesAnyOrder() {
            return true;
        }
    };

    /**
     * Where false, callers build no events at all. It may change at any time, and is asked often: a queue pair asks once for each
     * message that it handles. Then a sink hears of effects whose causes it was not told, and of beginnings without an end. A sink that
     * keeps packets is enabled all its life: payloads of packets which nobody is told of are used again.
     */
    boolean enabled();

    /** A fresh event id, from 1. */
    long nextId();

    void record(TraceEvent event);

    /**
     * Events may come otherwise than in the order of their ids, as they do from shards that work at a time; causes come before
     * what follows from them. A network has one shard where this is false, unless it is told otherwise.
     */
    default boolean takesAnyOrder() {
        return false;
    }
}
