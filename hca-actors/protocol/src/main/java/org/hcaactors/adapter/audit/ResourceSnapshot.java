// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.audit;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.queue.QpState;

/** Resources that one object of a network holds, and its uncompleted stages. {@code adapter} is the name of its adapter. */
public sealed interface ResourceSnapshot {
    /** Snapshot of an object whose resources have a limit. */
    sealed interface Bounded extends ResourceSnapshot {}

    /**
     * A queue pair.
     *
     * @param waiting number of requests posted and not started
     * @param started number of requests started and not finished
     * @param credits number of packets that it may hand to its port
     * @param slots slots of its queues in use
     * @param pending what it may be waiting for
     * @param queues queues that it uses
     * @param leases keys that it holds a lease on
     */
    record QueuePair(
            String adapter,
            int number,
            QpState state,
            int waiting,
            int started,
            int credits,
            Slots slots,
            Pending pending,
            Queues queues,
            List<Integer> leases)
            implements Bounded {}

    /**
     * Slots taken by posting and not free again.
     *
     * @param sends slots of the send queue
     * @param receives slots of its own receive queue
     */
    record Slots(int sends, int receives) {}

    /**
     * Queues that a queue pair uses.
     *
     * @param srqs its shared receive queues, if it has no receive queue of its own: one, or those that its peer has named
     * @param handles number of programs' handles of it
     */
    record Queues(int sendCq, int recvCq, List<Integer> srqs, int handles) {
        /** Creates the queues of a queue pair with one handle and its own receive queue. */
        public Queues(int sendCq, int recvCq) {
            this(sendCq, recvCq, List.of(), 1);
        }
    }

    /**
     * Events for which a queue pair waits.
     *
     * @param deadline time of its next timer; Long.MAX_VALUE for never
     * @param backingOff it waits out an RNR NAK
     * @param heldPackets number of received packets that wait for a lease
     * @param pendingResponses number of responses owed to its peer
     * @param requestedKeys keys that it has requested and not been answered for
     * @param hasNoTimeout it has no local ACK timeout, so that it may wait for its peer without a timer
     */
    record Pending(
            long deadline,
            boolean backingOff,
            int heldPackets,
            int pendingResponses,
            List<Integer> requestedKeys,
            boolean hasNoTimeout) {}

    /**
     * The translator of a memory key.
     *
     * @param leases number of leases on the key, of queue pairs and other keys
     * @param leasedKeys keys that it has leases on, each as often as it has one
     */
    record Translator(String adapter, int key, int leases, List<Integer> leasedKeys) implements ResourceSnapshot {}

    /**
     * The pager of an adapter.
     *
     * @param regions number of on-demand regions
     * @param pages number of their pages that the adapter has mapped
     * @param outstanding number of faults and prefetches under way
     * @param counted its counters
     */
    record Pager(String adapter, int regions, long pages, int outstanding, PagingCounters counted)
            implements ResourceSnapshot {}

    /**
     * A completion queue.
     *
     * @param users number of queue pairs that use it
     * @param entries number of its entries, those on their way to a subscriber included
     * @param capacity maximum number of entries
     */
    record CompletionQueue(String adapter, int number, int users, int entries, int capacity) implements Bounded {}

    /**
     * A shared receive queue.
     *
     * @param users number of queue pairs that use it
     * @param receives number of its receives
     * @param slots number of slots taken by posting and not free again
     * @param completions its completion queue, if it has one of its own; else the queue pairs' are used
     * @param hasInitiator it has an internal initiator, which no program knows
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
        /** Creates the snapshot of a queue without a completion queue of its own. */
        public SharedReceives(String adapter, int number, int users, int receives, int slots) {
            this(adapter, number, users, receives, slots, OptionalInt.empty(), false);
        }
    }

    /**
     * An adapter.
     *
     * @param queuePairs numbers of the queue pairs that it knows
     * @param keys indices of the keys that it knows
     * @param numbersInUse number of queue pair numbers in use
     * @param keysInUse number of keys that can't be allocated
     * @param eventStreams number of event streams, one for each open context
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
     * An open context, with what a program created by it and did not close.
     *
     * @param process owner of the context
     * @param open number of objects by kind; kinds without objects are left out
     */
    record Context(String adapter, String process, Map<ObjectKind, Integer> open) implements ResourceSnapshot {}

    /**
     * A process.
     *
     * @param memories number of mapped memories
     * @param waiters number of its threads that queues can wake
     * @param exited it has exited, or is about to
     */
    record Process(String adapter, String name, int memories, int waiters, boolean exited)
            implements ResourceSnapshot {}

    /**
     * The host of an adapter.
     *
     * @param buffers number of buffers that have pages of the host
     * @param held number of those that its processes have mapped or open
     * @param overlaps number of blocks that begin before another buffer's end
     */
    record Host(String adapter, int buffers, int held, int overlaps) implements ResourceSnapshot {}

    /**
     * The fabric.
     *
     * @param endpoints number of attached queue pairs by port name
     */
    record Fabric(Map<String, Integer> endpoints) implements ResourceSnapshot {}
}
