// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.queue.QpState;

/** What something of a network holds and owes at one moment. {@code adapter} is the name of the adapter it belongs to. */
public sealed interface ResourceSnapshot {
    /** Of what has a bound on what it holds. */
    sealed interface Bounded extends ResourceSnapshot {}

    /**
     * @param waiting requests that were posted and not started
     * @param started requests that were started and are not done
     * @param credits packets that it may hand to its port
     * @param slots of its queues that are taken
     * @param standing why it may be waiting
     * @param queues that it uses
     * @param leases the keys that it holds a lease on
     */
    record QueuePair(
            String adapter,
            int number,
            QpState state,
            int waiting,
            int started,
            int credits,
            Slots slots,
            Standing standing,
            Queues queues,
            List<Integer> leases)
            implements Bounded {}

    /**
     * Slots that were taken by posting and are not free again.
     *
     * @param sends of the send queue
     * @param receives of its own receive queue
     */
    record Slots(int sends, int receives) {}

    /**
     * @param srqs where its receives come from, if not from a queue of its own: one, or those that its peer has named
     * @param handles by which its programs have it
     */
    record Queues(int sendCq, int recvCq, List<Integer> srqs, int handles) {
        /** One that a program has by one handle, and that takes the receives of no queue but its own. */
        public Queues(int sendCq, int recvCq) {
            this(sendCq, recvCq, List.of(), 1);
        }
    }

    /**
     * What a queue pair waits for.
     *
     * @param deadline when its timer is due; Long.MAX_VALUE for never
     * @param backingOff it waits out a receiver-not-ready NAK
     * @param held packets that came in and wait for a lease or a receive
     * @param answers owed to its peer
     * @param asked keys that it has asked for and has no answer about
     * @param awaitsReceive its shared receive queue was asked and has not answered
     * @param hasNoTimeout it has no local ACK timeout: what its peer owes it, it may wait for without a timer
     */
    record Standing(
            long deadline,
            boolean backingOff,
            int held,
            int answers,
            List<Integer> asked,
            boolean awaitsReceive,
            boolean hasNoTimeout) {}

    /**
     * @param leases that are out, by any queue pair and by any other key
     * @param stands the keys on which it has leases, each as often as it has
     */
    record Translator(String adapter, int key, int leases, List<Integer> stands) implements ResourceSnapshot {}

    /**
     * @param regions on demand that are there
     * @param pages of them that the adapter has
     * @param outstanding faults and prefetches that are under way
     * @param counted what its board shows
     */
    record Pager(String adapter, int regions, long pages, int outstanding, PagingCounters counted)
            implements ResourceSnapshot {}

    /**
     * @param users queue pairs that use it
     * @param entries that have a place, those on their way to a subscriber included
     * @param capacity places
     */
    record CompletionQueue(String adapter, int number, int users, int entries, int capacity) implements Bounded {}

    /**
     * @param users queue pairs that use it
     * @param receives that stand in it
     * @param slots that were taken by posting and are not free again
     * @param completions where messages end that took a receive of it, if it says so, and not their queue pairs
     * @param hasInitiator a queue pair is there for it that no program has
     */
    record SharedReceives(
            String adapter,
            int number,
            int users,
            int receives,
            int slots,
            OptionalInt completions,
            boolean hasInitiator)
            implements Bounded {
        /** Their queue pairs say so. */
        public SharedReceives(String adapter, int number, int users, int receives, int slots) {
            this(adapter, number, users, receives, slots, OptionalInt.empty(), false);
        }
    }

    /**
     * @param queuePairs the numbers of those that it knows
     * @param keys indices of those that it knows
     * @param numbersInUse of queue pairs
     * @param keysInUse those that it can't give out
     * @param eventStreams one of each open context
     */
    record Adapter(
            String adapter,
            List<Integer> queuePairs,
            List<Integer> keys,
            int numbersInUse,
            int keysInUse,
            int eventStreams)
            implements ResourceSnapshot {}

    /**
     * What a program created by one open context and did not close, and what goes with it.
     *
     * @param process whose it is
     * @param open how many of each kind there are; none of what is left out
     */
    record Context(String adapter, String process, Map<ObjectKind, Integer> open) implements ResourceSnapshot {}

    /**
     * @param memories that are mapped
     * @param waiters its threads that queues can wake
     * @param exited it is over, or about to be
     */
    record Process(String adapter, String name, int memories, int waiters, boolean exited)
            implements ResourceSnapshot {}

    /**
     * The host that an adapter sits in.
     *
     * @param taken buffers that have pages of it
     * @param held of these, those of what its processes have mapped and open
     * @param overlaps pages that begin before another buffer's end
     */
    record Host(String adapter, int taken, int held, int overlaps) implements ResourceSnapshot {}

    /** @param endpoints attached queue pairs by the name of their port */
    record Fabric(Map<String, Integer> endpoints) implements ResourceSnapshot {}
}
