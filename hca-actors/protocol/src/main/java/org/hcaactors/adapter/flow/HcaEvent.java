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

/** What happens inside an adapter. {@code port} is the name of the adapter's port on the fabric. */
public sealed interface HcaEvent extends AdapterEvent {
    /** What of the adapter it happened to, or what did it. */
    Element element();

    /**
     * @param domain number of its protection domain
     * @param srq where its receives come from, if not from a queue of its own
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

    /** A modify was carried out. */
    record Modified(Stamp stamp, String port, Element element, QpModify change) implements HcaEvent {}

    /** @param signaled it ends with a completion, also if it succeeds */
    record WorkPosted(Stamp stamp, String port, Element element, WorkRequest work, boolean signaled)
            implements HcaEvent {}

    record ReceivePosted(Stamp stamp, String port, Element element, long workId, long lengthBytes)
            implements HcaEvent {}

    /** A receive was posted to a shared queue. */
    record SharedReceivePosted(Stamp stamp, String port, Element element, long workId, long lengthBytes)
            implements HcaEvent {}

    /**
     * A receive was put into a tag list.
     *
     * @param workId of the receive
     * @param serial counts those of the list
     * @param matches it takes messages from now on
     */
    record TagAdded(
            Stamp stamp, String port, Element element, long workId, long serial, long tag, long mask, boolean matches)
            implements HcaEvent {}

    /**
     * A receive was to be taken out of a tag list.
     *
     * @param wasThere no message had taken it
     */
    record TagRemoved(Stamp stamp, String port, Element element, long serial, boolean wasThere) implements HcaEvent {}

    /**
     * A program said how many unexpected messages it has dealt with; both counters are of 16 bits.
     *
     * @param delivered by the adapter
     */
    record TagsSynced(Stamp stamp, String port, Element element, int handled, int delivered) implements HcaEvent {}

    /**
     * A message took a receive of a tag list.
     *
     * @param qp over which it comes
     */
    record TagMatched(Stamp stamp, String port, Element element, int qp, long workId, long serial, long tag)
            implements HcaEvent {}

    /**
     * A message came to a tag-matching queue that took no receive of the list.
     *
     * @param workId of the receive that it took
     * @param tag that no receive waits for; empty where it is not for matching
     */
    record TagUnmatched(Stamp stamp, String port, Element element, int qp, long workId, OptionalLong tag)
            implements HcaEvent {}

    /**
     * A message will not come, and what it took stands where it stood.
     *
     * @param serial of a receive in the list, 0 for another
     * @param unexpected it was to be told as unexpected
     */
    record TagReturned(Stamp stamp, String port, Element element, long workId, long serial, boolean unexpected)
            implements HcaEvent {}

    /** An adapter begins to fetch the data of a message by itself, for that receive. */
    record FetchBegun(Stamp stamp, String port, Element element, long workId, int rkey, long address, long lengthBytes)
            implements HcaEvent {}

    /** They are there, and the sender is told. */
    record Fetched(Stamp stamp, String port, Element element, long workId) implements HcaEvent {}

    /** They will not be fetched: the program has to. */
    record FetchFailed(Stamp stamp, String port, Element element, long workId, Reason reason) implements HcaEvent {}

    /**
     * Peers may name that shared receive queue from now on.
     *
     * @param xrcDomain in which it is found
     * @param domain number of its protection domain
     * @param cq where each message ends that took a receive of it
     */
    record XrcSrqCreated(Stamp stamp, String port, Element element, int xrcDomain, int domain, int cq)
            implements HcaEvent {}

    /** A shared receive queue that peers could name is gone, and so is what was taken of it. */
    record XrcSrqDestroyed(Stamp stamp, String port, Element element) implements HcaEvent {}

    /** A queue pair takes requests that name shared receive queues of that XRC domain. */
    record XrcTargetCreated(Stamp stamp, String port, Element element, int xrcDomain) implements HcaEvent {}

    /**
     * A step in the life of a session over DC.
     *
     * @param peer number of the other end, at {@code at}
     * @param session that packets carry, 0 where that is not known
     */
    record SessionChanged(
            Stamp stamp, String port, Element element, SessionStep step, PortAddress at, int peer, int session)
            implements HcaEvent {}

    /**
     * Where a request over DC goes; the cause is its posting.
     *
     * @param target its number, at {@code at}
     */
    record DcDestination(Stamp stamp, String port, Element element, PortAddress at, int target, int stream)
            implements HcaEvent {}

    /** A stream that was in error takes requests again. */
    record StreamReset(Stamp stamp, String port, Element element, int stream) implements HcaEvent {}

    /** A receive was taken of a shared queue that a request named, for that queue pair. */
    record ReceiveTaken(Stamp stamp, String port, Element element, int qp, long workId) implements HcaEvent {}

    /** A receive that was taken of a shared queue for that queue pair, and not used, stands in it again. */
    record ReceiveReturned(Stamp stamp, String port, Element element, int qp, long workId) implements HcaEvent {}

    /**
     * A queue pair ended a request: the entry goes to its completion queue. The second cause is the posting, where that was
     * a send.
     */
    record Completed(Stamp stamp, String port, Element element, WorkCompletion completion) implements HcaEvent {}

    /** A request ended without completion, by RESET or because its queue pair went; the cause is its posting. */
    record RequestDropped(Stamp stamp, String port, Element element, long workId) implements HcaEvent {}

    /**
     * An entry was written to its completion queue.
     *
     * @param solicited its sender asked for a solicited event, or it is an error
     */
    record EntryWritten(Stamp stamp, String port, Element element, int qp, long workId, boolean solicited)
            implements HcaEvent {}

    /** Entries left their completion queue: polled, handed to stages, or purged with their queue pair. */
    record EntriesTaken(Stamp stamp, String port, Element element, int entries) implements HcaEvent {}

    /** Entries that a subscriber had asked for and did not get stand in their queue again. */
    record EntriesReturned(Stamp stamp, String port, Element element, int entries) implements HcaEvent {}

    record Armed(Stamp stamp, String port, Element element, CompletionQueue.Arm what) implements HcaEvent {}

    record Moderated(Stamp stamp, String port, Element element, int entries, Duration period) implements HcaEvent {}

    /** A completion queue reports to its channel. */
    record Woken(Stamp stamp, String port, Element element) implements HcaEvent {}

    /**
     * A completion queue was created that wakes a thread by AS-notify.
     *
     * @param waiter the thread
     */
    record WaiterAttached(Stamp stamp, String port, Element element, Element waiter) implements HcaEvent {}

    /** An armed completion queue notifies its thread: one an arm. */
    record NotifySent(Stamp stamp, String port, Element element, Element waiter) implements HcaEvent {}

    /**
     * A completion queue's notification came to its thread.
     *
     * @param waiter the thread
     */
    record Notified(Stamp stamp, String port, Element element, Element waiter, NotifyOutcome outcome)
            implements HcaEvent {}

    /** A thread waits. */
    record WaiterSleeps(Stamp stamp, String port, Element element) implements HcaEvent {}

    /** A thread's wait is over. */
    record WaiterWakes(Stamp stamp, String port, Element element, WakeCause cause) implements HcaEvent {}

    /** A thread's subscriber never heard that it was woken: the next wait is over at once. */
    record WakeLatched(Stamp stamp, String port, Element element, WakeCause cause) implements HcaEvent {}

    /** A thread's wait is over, and nothing woke it: what would have is gone, or it was interrupted. */
    record WaitFailed(Stamp stamp, String port, Element element) implements HcaEvent {}

    /** A thread has ended. */
    record WaiterEnded(Stamp stamp, String port, Element element) implements HcaEvent {}

    record StateChanged(Stamp stamp, String port, Element element, QpState from, QpState to, Reason reason)
            implements HcaEvent {}

    /** @param psn where sending goes on */
    record Retransmitting(Stamp stamp, String port, Element element, int psn, Reason reason) implements HcaEvent {}

    /**
     * A requester waits out a receiver-not-ready NAK.
     *
     * @param psn where it goes on
     * @param forNanos how long it waits at least
     */
    record BackedOff(Stamp stamp, String port, Element element, int psn, long forNanos) implements HcaEvent {}

    /**
     * A queue pair can't do what was asked of it. What it does about it in the same turn, a completion with an error or a
     * move to ERR, has this as its cause.
     */
    record Failed(Stamp stamp, String port, Element element, Reason reason) implements HcaEvent {}

    /**
     * A requester has no retry left.
     *
     * @param psn the oldest packet that was not answered
     * @param reason the last straw, and the budget that is spent
     */
    record GaveUp(Stamp stamp, String port, Element element, int psn, Reason reason) implements HcaEvent {}

    /** A queue pair ignored a packet. */
    record Discarded(Stamp stamp, String port, Element element, Packet packet, Reason reason) implements HcaEvent {}

    /** @param reason what it reports, where its cause does not tell */
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

    /** What a key covers. */
    enum KeyKind {
        MEMORY_REGION,

        /** Its pages come when they are used. */
        PAGED_REGION,

        /** The same, by the page tables of the host. */
        HOST_PAGED_REGION,

        /** Of no memory: what is written is gone. */
        NULL_REGION,

        /** Of the host's physical memory. */
        PHYSICAL_REGION,
        MEMORY_WINDOW,
        /** Nothing of its own: what it is filled with. */
        INDIRECT_KEY
    }

    /**
     * A buffer stands on these pages from now on: a queue's, where its process said something of them, or that of a region which
     * allocated.
     */
    record PagesAllocated(Stamp stamp, String port, Element element, PageLayout pages) implements HcaEvent {}

    /**
     * A buffer was refused for want of such pages.
     *
     * @param process whose buffer it was to be
     */
    record PageAllocationFailed(Stamp stamp, String port, String process, Reason reason) implements HcaEvent {
        @Override
        public Element element() {
            return new Element(Element.Kind.DEVICE, 0);
        }
    }

    /**
     * A context was opened, and what a variable of its environment says counts as not said.
     *
     * @param process whose context it is
     * @param allowed which values are allowed, in words
     */
    record VariableIgnored(Stamp stamp, String port, String process, String variable, String value, String allowed)
            implements HcaEvent {
        @Override
        public Element element() {
            return new Element(Element.Kind.DEVICE, 0);
        }
    }

    /**
     * A key exists from now on.
     *
     * @param parents the keys whose memory it shows, where it has none of its own
     * @param process whose memory it is
     * @param shift from an address under the key to that of the byte in the process
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

        /** Nothing is behind the key so far. */
        public static Registered ofNothing(
                Stamp stamp, String port, Element element, KeyKind kind, String process, int domain) {
            return new Registered(stamp, port, element, kind, List.of(), process, domain, 0, 0, AccessFlags.NONE);
        }

        /** Addresses under the key are those of the process. */
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

    /** An indirect key shows these from now on, and nothing of what it showed before. */
    record KeyFilled(Stamp stamp, String port, Element element, KeyLayout layout, AccessFlags rights)
            implements HcaEvent {}

    /**
     * A region is registered anew under its key: nobody uses what it was.
     *
     * @param shift from an address under the key to that of the byte in the process
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

    /** The re-registration of a region failed: nobody is let in under its key any more. */
    record BecameUndefined(Stamp stamp, String port, Element element) implements HcaEvent {}

    /**
     * What a key shows, where that is known from itself.
     *
     * @param parent the key whose memory it shows a part of, where it has none of its own
     * @param domain number of its protection domain
     * @param queuePair the one that it is tied to
     * @param address the first that a peer names
     * @param behind the same byte, as the parent or the process has it
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
     * A key shows something else from now on; nobody uses any more what it showed before.
     *
     * @param element the key as it is from now on
     * @param before the key until now
     * @param shows empty where it shows nothing
     */
    record KeyChanged(Stamp stamp, String port, Element element, Element before, Optional<KeyMapping> shows)
            implements HcaEvent {}

    /**
     * The adapter read host memory.
     *
     * @param remote for a peer, else for a request of its own
     */
    record MemoryRead(Stamp stamp, String port, Element element, int key, long address, int lengthBytes, boolean remote)
            implements HcaEvent {}

    /**
     * The adapter wrote host memory.
     *
     * @param remote for a peer's RDMA WRITE, else into a buffer of a request of its own
     */
    record MemoryWritten(Stamp stamp, String port, Element element, int key, long address, Octets bytes, boolean remote)
            implements HcaEvent {}

    /**
     * What came goes with a completion, instead of into the buffers of its request.
     *
     * @param workId of the request
     */
    record InlineReceived(Stamp stamp, String port, Element element, long workId, Octets bytes) implements HcaEvent {}

    /**
     * The process wrote to its own memory what a completion carried, when it polled that; the cause is that it was put there.
     *
     * @param element whose completion it is
     * @param address in the process
     */
    record InlineCopied(Stamp stamp, String port, Element element, long workId, String process, long address, Octets bytes)
            implements HcaEvent {}

    /**
     * What a completion carried could not be copied, and the program was handed another.
     *
     * @param completion what it got
     */
    record InlineCopyRefused(Stamp stamp, String port, Element element, WorkCompletion completion, Reason reason)
            implements HcaEvent {}

    /** The adapter carried out a peer's atomic on the value at that address. */
    record AtomicExecuted(
            Stamp stamp, String port, Element element, int key, long address, AtomicValue before, AtomicValue after)
            implements HcaEvent {}

    /** A queue pair may use a memory key from now on. */
    record LeaseGranted(Stamp stamp, String port, Element element, int key) implements HcaEvent {}

    record LeaseReleased(Stamp stamp, String port, Element element, int key) implements HcaEvent {}

    /**
     * No packet and no request can touch the memory under this key any more.
     *
     * @param element the key as it was at last
     */
    record KeyDeregistered(Stamp stamp, String port, Element element) implements HcaEvent {}

    /** What finds a page absent (rule paging-fault). */
    enum FaultKind {
        /** A request reads what it sends. */
        GATHER,
        /** A response is written to where its request said. */
        RESPONSE,
        /** A message is written to a receive. */
        RECEIVE,
        /** A peer's READ, WRITE or atomic. */
        REMOTE
    }

    /**
     * A queue pair waits for pages of a region. The second cause is their last departure, if it is known.
     *
     * @param address in the process
     * @param lengthBytes of what is asked for
     * @param writing it is to be written, else read
     */
    record PageFaultRaised(
            Stamp stamp,
            String port,
            Element element,
            int key,
            FaultKind kind,
            long address,
            long lengthBytes,
            boolean writing)
            implements HcaEvent {}

    /** Why the adapter has pages. */
    enum Arrival {
        FAULT,
        PREFETCH
    }

    /**
     * The host has brought in what was asked for, and its faults or its prefetch have their answer. The second cause is the
     * invalidation that it ran into, where it did.
     *
     * @param address in the process
     * @param lengthBytes of what was asked for
     * @param pages that the adapter did not have before; 0 where it ran into an invalidation, too
     * @param contended it ran into an invalidation
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

    /** Pages that a queue pair waits for can't be had. */
    record PageFaultFailed(Stamp stamp, String port, Element element, int key, Reason reason) implements HcaEvent {}

    /**
     * Pages shall come before they are used.
     *
     * @param element the first key that it is about
     * @param lengthBytes of all that it is about
     */
    record PrefetchAccepted(Stamp stamp, String port, Element element, long lengthBytes, boolean writing)
            implements HcaEvent {}

    /**
     * Not all pages of a prefetch could be had.
     *
     * @param told its caller hears of it; else the prefetch was only accepted, and what failed is lost
     */
    record PrefetchFailed(Stamp stamp, String port, Element element, boolean told, Reason reason) implements HcaEvent {}

    /** Why the host takes pages. */
    enum Departure {
        EVICTED,
        UNMAPPED,
        PROCESS_ENDED
    }

    /**
     * The host has taken pages, and the adapter can't touch them any more.
     *
     * @param address in the process
     * @param pages of them that the adapter had
     */
    record PagesInvalidated(
            Stamp stamp, String port, Element element, long address, long lengthBytes, long pages, Departure reason)
            implements HcaEvent {}
}
