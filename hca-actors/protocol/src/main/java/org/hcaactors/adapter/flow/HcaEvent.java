// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.AdapterEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;

/** Events inside an adapter. {@code port} is the name of the adapter's port on the fabric. */
public sealed interface HcaEvent extends AdapterEvent {
    /** Returns the part of the adapter that the event is about. */
    Element element();

    /**
     * A queue pair was created.
     *
     * @param domain number of its protection domain
     * @param srq its shared receive queue; empty if it has a receive queue of its own
     */
    record QueuePairCreated(
            Stamp stamp,
            String port,
            Element element,
            QpType transport,
            int domain,
            int sendCq,
            int recvCq,
            OptionalInt srq)
            implements HcaEvent {}

    /** The attributes of a queue pair were modified. */
    record Modified(Stamp stamp, String port, Element element, QpModify change) implements HcaEvent {}

    /**
     * A work request was posted to a send queue.
     *
     * @param signaled the request has a completion also if it succeeds
     */
    record WorkPosted(Stamp stamp, String port, Element element, WorkRequest work, boolean signaled)
            implements HcaEvent {}

    record ReceivePosted(Stamp stamp, String port, Element element, long workId, long lengthBytes)
            implements HcaEvent {}

    /** A receive was posted to a shared receive queue. */
    record SharedReceivePosted(Stamp stamp, String port, Element element, long workId, long lengthBytes)
            implements HcaEvent {}

    /**
     * A receive was added to a tag list.
     *
     * @param workId id of the receive
     * @param serial number of the receive within the list
     * @param matches the receive matches messages from now on
     */
    record TagAdded(
            Stamp stamp, String port, Element element, long workId, long serial, long tag, long mask, boolean matches)
            implements HcaEvent {}

    /**
     * A receive was to be removed from a tag list.
     *
     * @param wasThere no message had matched the receive
     */
    record TagRemoved(Stamp stamp, String port, Element element, long serial, boolean wasThere) implements HcaEvent {}

    /**
     * A program reported how many unexpected messages it has handled; both counters have 16 bits.
     *
     * @param handled unexpected messages handled by the program
     * @param delivered unexpected messages delivered by the adapter
     */
    record TagsSynced(Stamp stamp, String port, Element element, int handled, int delivered) implements HcaEvent {}

    /**
     * A message matched a receive of a tag list.
     *
     * @param qp number of the queue pair that receives the message
     */
    record TagMatched(Stamp stamp, String port, Element element, int qp, long workId, long serial, long tag)
            implements HcaEvent {}

    /**
     * A message to a tag-matching queue matched no receive of the list.
     *
     * @param workId id of the receive that the message consumed
     * @param tag the unexpected message's tag; empty if the message is not subject to matching
     */
    record TagUnmatched(Stamp stamp, String port, Element element, int qp, long workId, OptionalLong tag)
            implements HcaEvent {}

    /**
     * A message was abandoned, and the receive that it had consumed is back in its place.
     *
     * @param serial number of a receive in the tag list, 0 for another receive
     * @param unexpected the message would have been delivered as unexpected
     */
    record TagReturned(Stamp stamp, String port, Element element, long workId, long serial, boolean unexpected)
            implements HcaEvent {}

    /** The adapter begins to fetch a rendezvous message's data by itself, into that receive. */
    record FetchBegun(Stamp stamp, String port, Element element, long workId, int rkey, long address, long lengthBytes)
            implements HcaEvent {}

    /** The data of a rendezvous message has been fetched, and the sender is notified. */
    record Fetched(Stamp stamp, String port, Element element, long workId) implements HcaEvent {}

    /** The adapter does not fetch the data of a rendezvous message: the program must. */
    record FetchFailed(Stamp stamp, String port, Element element, long workId, Reason reason) implements HcaEvent {}

    /**
     * Peers may address a shared receive queue from now on.
     *
     * @param xrcDomain XRC domain that the queue belongs to
     * @param domain number of its protection domain
     * @param cq number of its completion queue
     */
    record XrcSrqCreated(Stamp stamp, String port, Element element, int xrcDomain, int domain, int cq)
            implements HcaEvent {}

    /** A shared receive queue that peers could address was destroyed, with the receives taken from it. */
    record XrcSrqDestroyed(Stamp stamp, String port, Element element) implements HcaEvent {}

    /** A queue pair became an XRC target: it accepts requests for shared receive queues of that XRC domain. */
    record XrcTargetCreated(Stamp stamp, String port, Element element, int xrcDomain) implements HcaEvent {}

    /**
     * A step in the life of a DC session.
     *
     * @param peer number of the remote queue pair, at {@code at}
     * @param session session number that packets carry, 0 if unknown
     */
    record SessionChanged(
            Stamp stamp, String port, Element element, SessionStep step, PortAddress at, int peer, int session)
            implements HcaEvent {}

    /**
     * A step in the life of a connection of communication management.
     *
     * @param commId local communication ID, 32 bits
     * @param peer address of the peer's port
     * @param qp local queue pair; 0 if there is none yet
     * @param reason code of a rejection (IBA 12.6.7.2); 0 for other steps
     */
    record ConnectionChanged(
            Stamp stamp,
            String port,
            Element element,
            ConnectionStep step,
            int commId,
            PortAddress peer,
            int qp,
            int reason)
            implements HcaEvent {}

    /**
     * The destination of a request over DC; the cause is the posting.
     *
     * @param target number of the DC target, at {@code at}
     */
    record DcDestination(Stamp stamp, String port, Element element, PortAddress at, int target, int stream)
            implements HcaEvent {}

    /** A stream that was in error accepts requests again. */
    record StreamReset(Stamp stamp, String port, Element element, int stream) implements HcaEvent {}

    /** A receive was taken from a shared receive queue for that queue pair. */
    record ReceiveTaken(Stamp stamp, String port, Element element, int qp, long workId) implements HcaEvent {}

    /** A receive that was taken for that queue pair and not used is back in its shared receive queue. */
    record ReceiveReturned(Stamp stamp, String port, Element element, int qp, long workId) implements HcaEvent {}

    /**
     * A queue pair completed a request; the entry is on its way to the completion queue. For a send, the second cause is its
     * posting.
     */
    record Completed(Stamp stamp, String port, Element element, WorkCompletion completion) implements HcaEvent {}

    /** A request ended without completion, as its queue pair was reset or destroyed; the cause is its posting. */
    record RequestDropped(Stamp stamp, String port, Element element, long workId) implements HcaEvent {}

    /**
     * A completion was written to its completion queue.
     *
     * @param solicited the sender requested a solicited event, or the completion is an error
     */
    record EntryWritten(Stamp stamp, String port, Element element, int qp, long workId, boolean solicited)
            implements HcaEvent {}

    /**
     * Entries left their completion queue: polled, granted to a subscriber, consumed by a {@code submit}, or removed with their
     * queue pair.
     */
    record EntriesTaken(Stamp stamp, String port, Element element, int entries) implements HcaEvent {}

    /** Entries that were granted to a subscriber and not received are back in their completion queue. */
    record EntriesReturned(Stamp stamp, String port, Element element, int entries) implements HcaEvent {}

    record Armed(Stamp stamp, String port, Element element, CompletionQueue.Arm what) implements HcaEvent {}

    record Moderated(Stamp stamp, String port, Element element, int entries, Duration period) implements HcaEvent {}

    /** A completion queue reported to its completion channel. */
    record Woken(Stamp stamp, String port, Element element) implements HcaEvent {}

    /**
     * A completion queue was created that wakes a thread by AS-notify.
     *
     * @param waiter the thread
     */
    record WaiterAttached(Stamp stamp, String port, Element element, Element waiter) implements HcaEvent {}

    /** An armed completion queue notified its thread; each arm causes one notification. */
    record NotifySent(Stamp stamp, String port, Element element, Element waiter) implements HcaEvent {}

    /**
     * A completion queue's notification reached its thread.
     *
     * @param waiter the thread
     */
    record Notified(Stamp stamp, String port, Element element, Element waiter, NotifyOutcome outcome)
            implements HcaEvent {}

    /** A thread started to wait. */
    record WaiterSleeps(Stamp stamp, String port, Element element) implements HcaEvent {}

    /** A thread's wait ended. */
    record WaiterWakes(Stamp stamp, String port, Element element, WakeCause cause) implements HcaEvent {}

    /** A thread's subscriber did not receive its wake-up: the next wait ends at once. */
    record WakeLatched(Stamp stamp, String port, Element element, WakeCause cause) implements HcaEvent {}

    /** A thread's wait ended without a wake-up: it was interrupted, or its completion queues were destroyed or failed. */
    record WaitFailed(Stamp stamp, String port, Element element) implements HcaEvent {}

    /** A thread has ended. */
    record WaiterEnded(Stamp stamp, String port, Element element) implements HcaEvent {}

    record StateChanged(Stamp stamp, String port, Element element, QpState from, QpState to, Reason reason)
            implements HcaEvent {}

    /**
     * A requester retransmits.
     *
     * @param psn the first PSN to be sent again
     */
    record Retransmitting(Stamp stamp, String port, Element element, int psn, Reason reason) implements HcaEvent {}

    /**
     * A requester waits as an RNR NAK demands.
     *
     * @param psn the PSN where sending resumes
     * @param forNanos minimum wait
     */
    record BackedOff(Stamp stamp, String port, Element element, int psn, long forNanos) implements HcaEvent {}

    /**
     * A queue pair can't do what was requested of it. Its reaction in the same turn, a completion with an error or a transition
     * to ERR, has this event as its cause.
     */
    record Failed(Stamp stamp, String port, Element element, Reason reason) implements HcaEvent {}

    /**
     * A requester has no retry left.
     *
     * @param psn the oldest unacknowledged packet
     * @param reason the last failure and the exhausted retry count
     */
    record GaveUp(Stamp stamp, String port, Element element, int psn, Reason reason) implements HcaEvent {}

    /** A queue pair discarded a packet. */
    record Discarded(Stamp stamp, String port, Element element, Packet packet, Reason reason) implements HcaEvent {}

    /**
     * An asynchronous event was raised.
     *
     * @param reason the event's detail, where its cause does not explain it
     */
    record Raised(Stamp stamp, String port, AsyncEvent event, Reason reason) implements HcaEvent {
        @Override
        public Element element() {
            return new Element(
                    switch (event.kind().source()) {
                        case DEVICE -> Element.Kind.DEVICE;
                        case PORT -> Element.Kind.PORT;
                        case QUEUE_PAIR -> Element.Kind.QUEUE_PAIR;
                        case COMPLETION_QUEUE -> Element.Kind.COMPLETION_QUEUE;
                        case SHARED_RECEIVE_QUEUE -> Element.Kind.SHARED_RECEIVE_QUEUE;
                    },
                    event.element());
        }
    }

    /** Kinds of memory keys. */
    enum KeyKind {
        MEMORY_REGION,

        /** A region with on-demand paging. */
        PAGED_REGION,

        /** A region with on-demand paging that follows the host's page tables. */
        HOST_PAGED_REGION,

        /** A region without memory: data written to it is lost. */
        NULL_REGION,

        /** A region of the host's physical memory. */
        PHYSICAL_REGION,
        MEMORY_WINDOW,
        /** A key without memory of its own, which maps the memory of the keys that it is filled with. */
        INDIRECT_KEY
    }

    /**
     * A buffer was allocated on these pages: the buffer of a queue whose process chose the page type, or the memory of a region
     * that was registered with allocation.
     */
    record PagesAllocated(Stamp stamp, String port, Element element, PageLayout pages) implements HcaEvent {}

    /**
     * A buffer was refused for lack of pages of the required type.
     *
     * @param process owner of the buffer
     */
    record PageAllocationFailed(Stamp stamp, String port, String process, Reason reason) implements HcaEvent {
        @Override
        public Element element() {
            return new Element(Element.Kind.DEVICE, 0);
        }
    }

    /**
     * A context was opened, and an environment variable with an invalid value was ignored.
     *
     * @param process owner of the context
     * @param allowed the allowed values, as text
     */
    record VariableIgnored(Stamp stamp, String port, String process, String variable, String value, String allowed)
            implements HcaEvent {
        @Override
        public Element element() {
            return new Element(Element.Kind.DEVICE, 0);
        }
    }

    /**
     * A key was created.
     *
     * @param parents the keys whose memory it maps, if it has none of its own
     * @param process owner of the memory
     * @param shift offset from an address under the key to the address in the process
     */
    record Registered(
            Stamp stamp,
            String port,
            Element element,
            KeyKind kind,
            List<Element> parents,
            String process,
            int domain,
            long address,
            long lengthBytes,
            AccessFlags rights,
            long shift)
            implements HcaEvent {
        public Registered {
            parents = List.copyOf(parents);
        }

        /** Creates the event for a key that maps no memory yet. */
        public static Registered ofNothing(
                Stamp stamp, String port, Element element, KeyKind kind, String process, int domain) {
            return new Registered(stamp, port, element, kind, List.of(), process, domain, 0, 0, AccessFlags.NONE);
        }

        /** Creates the event for a key whose addresses are those of the process. */
        public Registered(
                Stamp stamp,
                String port,
                Element element,
                KeyKind kind,
                List<Element> parents,
                String process,
                int domain,
                long address,
                long lengthBytes,
                AccessFlags rights) {
            this(stamp, port, element, kind, parents, process, domain, address, lengthBytes, rights, 0);
        }
    }

    /** An indirect key maps these parts from now on, and no longer what it mapped before. */
    record KeyFilled(Stamp stamp, String port, Element element, KeyLayout layout, AccessFlags rights)
            implements HcaEvent {}

    /**
     * A region was reregistered under its key; its previous memory is no longer in use.
     *
     * @param shift offset from an address under the key to the address in the process
     */
    record Reregistered(
            Stamp stamp,
            String port,
            Element element,
            int domain,
            long address,
            long lengthBytes,
            AccessFlags rights,
            long shift)
            implements HcaEvent {}

    /** A region's reregistration failed: its key permits no access any more. */
    record BecameUndefined(Stamp stamp, String port, Element element) implements HcaEvent {}

    /**
     * The memory that a key maps, as far as the key itself defines it.
     *
     * @param parent the key whose memory it maps a part of, if it has none of its own
     * @param domain number of its protection domain
     * @param queuePair the queue pair that it is tied to
     * @param address first address under the key
     * @param behind the same byte's address in the parent or the process
     */
    record KeyMapping(
            Optional<Element> parent,
            int domain,
            OptionalInt queuePair,
            long address,
            long behind,
            long lengthBytes,
            AccessFlags rights) {}

    /**
     * A key maps other memory from now on; the memory that it mapped before is no longer in use.
     *
     * @param element the key as it is from now on
     * @param before the same key as it was until now
     * @param shows what it maps; empty if it maps nothing
     */
    record KeyChanged(Stamp stamp, String port, Element element, Element before, Optional<KeyMapping> shows)
            implements HcaEvent {}

    /**
     * The adapter read host memory.
     *
     * @param remote on behalf of a peer, else for a local request
     */
    record MemoryRead(Stamp stamp, String port, Element element, int key, long address, int lengthBytes, boolean remote)
            implements HcaEvent {}

    /**
     * The adapter wrote host memory.
     *
     * @param remote by a peer's RDMA WRITE, else into the buffer of a local request
     */
    record MemoryWritten(Stamp stamp, String port, Element element, int key, long address, Octets bytes, boolean remote)
            implements HcaEvent {}

    /**
     * Received data travels in a completion (inline receive) instead of being written to its request's buffers.
     *
     * @param workId id of the request
     */
    record InlineReceived(Stamp stamp, String port, Element element, long workId, Octets bytes) implements HcaEvent {}

    /**
     * A process copied a completion's inline data to its own memory as it polled the completion; the cause is the event that
     * put the data there.
     *
     * @param element the queue pair of the completion
     * @param address address in the process
     */
    record InlineCopied(
            Stamp stamp, String port, Element element, long workId, String process, long address, Octets bytes)
            implements HcaEvent {}

    /**
     * A completion's inline data could not be copied, and the program received an error completion instead.
     *
     * @param completion the completion that the program received
     */
    record InlineCopyRefused(Stamp stamp, String port, Element element, WorkCompletion completion, Reason reason)
            implements HcaEvent {}

    /** The adapter executed a peer's atomic on the value at that address. */
    record AtomicExecuted(
            Stamp stamp, String port, Element element, int key, long address, AtomicValue before, AtomicValue after)
            implements HcaEvent {}

    /** A queue pair received the lease of a memory key. */
    record LeaseGranted(Stamp stamp, String port, Element element, int key) implements HcaEvent {}

    record LeaseReleased(Stamp stamp, String port, Element element, int key) implements HcaEvent {}

    /**
     * From now on no packet and no request accesses the memory under this key.
     *
     * @param element the key in its last form
     */
    record KeyDeregistered(Stamp stamp, String port, Element element) implements HcaEvent {}

    /**
     * A queue pair waits for pages of a region. The second cause is the last invalidation of those pages, if known.
     *
     * @param address address in the process
     * @param lengthBytes length of the required range
     * @param writing the range is to be written, else read
     */
    record PageFaultRaised(
            Stamp stamp,
            String port,
            Element element,
            int key,
            PageFaultKind kind,
            long address,
            long lengthBytes,
            boolean writing)
            implements HcaEvent {}

    /** Reasons why pages were mapped. */
    enum Arrival {
        FAULT,
        PREFETCH
    }

    /**
     * The host brought in the requested pages, and the faults or the prefetch are answered. The second cause is the
     * invalidation that interfered, if one did.
     *
     * @param address address in the process
     * @param lengthBytes length of the requested range
     * @param pages pages that the adapter did not have before; also 0 if an invalidation interfered
     * @param contended an invalidation interfered
     */
    record PagesMapped(
            Stamp stamp,
            String port,
            Element element,
            long address,
            long lengthBytes,
            long pages,
            Arrival reason,
            boolean contended)
            implements HcaEvent {}

    /** Pages that a queue pair waits for are not available. */
    record PageFaultFailed(Stamp stamp, String port, Element element, int key, Reason reason) implements HcaEvent {}

    /**
     * A prefetch of pages was accepted.
     *
     * @param element the first key of the prefetch
     * @param lengthBytes total length of the prefetch
     */
    record PrefetchAccepted(Stamp stamp, String port, Element element, long lengthBytes, boolean writing)
            implements HcaEvent {}

    /**
     * A prefetch could not bring in all pages.
     *
     * @param told true if the caller receives the error; false if the call has already returned, so that the error is lost
     */
    record PrefetchFailed(Stamp stamp, String port, Element element, boolean told, Reason reason) implements HcaEvent {}

    /** Reasons why the host invalidates pages. */
    enum Departure {
        EVICTED,
        UNMAPPED,
        PROCESS_ENDED
    }

    /**
     * The host has taken pages back, and the adapter no longer accesses them.
     *
     * @param address address in the process
     * @param pages number of those pages that the adapter had mapped
     */
    record PagesInvalidated(
            Stamp stamp, String port, Element element, long address, long lengthBytes, long pages, Departure reason)
            implements HcaEvent {}
}
