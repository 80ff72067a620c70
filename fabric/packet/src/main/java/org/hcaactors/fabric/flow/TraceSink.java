// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.flow;

/**
 * Receiver of events. Called on the actors' threads: an implementation for several threads must be thread-safe, and it must not
 * block.
 */
public interface TraceSink {
    /** Records nothing, at no cost. */
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
     * If false, callers create no events. The value may change at any time and is read often: a queue pair reads it once for
     * each message. After a change the sink may receive effects whose causes it did not receive, and beginnings without an end.
     * A sink that keeps packets must be enabled all its life: buffers of payloads that no observer receives are reused.
     */
    boolean enabled();

    /** Returns a new event id, from 1. */
    long nextId();

    /**
     * Records an event, on the thread where it happens; objects may hold their locks. It must not throw, wait for another thread,
     * or call a verb. Payloads of packets may refer to the sender's memory if the sink was not enabled all their life.
     */
    void record(TraceEvent event);

    /**
     * True if events may arrive in another order than that of their ids, as they do from concurrent shards; causes still arrive
     * before their effects. If false, a network has one shard unless a number is set explicitly.
     */
    default boolean takesAnyOrder() {
        return false;
    }
}
