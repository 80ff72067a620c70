// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.packet.TransportClass;

/** Descriptions of events and packets, one line each. */
public final class Wording {
    /** The queue pair of connection management. */
    private static final int MANAGEMENT = 1;

    private Wording() {}

    /** Returns the number as ladders write it, so that it can be searched there, and as Wireshark does. */
    public static String queuePair(int number) {
        return "qp%d (0x%06x)".formatted(number, number);
    }

    /**
     * Returns {@code SEND_ONLY psn 100 64 B}, {@code ACK psn 100 msn 1}, {@code CONNECT psn 99 from qp 18 key 0x2a}, or the message
     * of communication management that the packet carries.
     */
    public static String of(Packet packet) {
        return CmWording.of(packet).orElseGet(() -> byOperation(packet));
    }

    private static String byOperation(Packet packet) {
        String what = packet.operation() == Operation.ACKNOWLEDGE
                ? Syndrome.describe(packet.aeth().syndrome())
                : packet.operation().name();
        int payload = packet.payload().length();
        return what + " psn " + packet.psn() + (isWhole(packet) ? headersButLength(packet) : headers(packet))
                + (payload == 0 ? "" : " " + payload + " B");
    }

    /** True if the payload is the whole message, so that its length need not be written twice. */
    private static boolean isWhole(Packet packet) {
        int payload = packet.payload().length();
        return payload > 0
                && packet.extended().stream()
                        .anyMatch(header ->
                                header instanceof ExtendedHeader.Reth reth && reth.lengthUnsigned() == payload);
    }

    private static String headersButLength(Packet packet) {
        return headers(
                packet.extended().stream()
                        .filter(header -> !(header instanceof ExtendedHeader.Reth))
                        .toList(),
                packet);
    }

    /**
     * Returns {@code  len 64 imm 0x7}: the values of its extended headers, each after a blank, without the syndrome of an
     * acknowledgement.
     */
    public static String headers(Packet packet) {
        return headers(packet.extended(), packet);
    }

    private static String headers(List<ExtendedHeader> headers, Packet packet) {
        StringBuilder text = new StringBuilder();
        for (ExtendedHeader header : headers) {
            switch (header) {
                case ExtendedHeader.Reth reth -> text.append(" len ").append(reth.lengthUnsigned());
                case ExtendedHeader.Aeth aeth -> text.append(ofMessages(aeth));
                case ExtendedHeader.AtomicAckEth original ->
                    text.append(" was ").append(word(original.original()));
                case ExtendedHeader.AtomicEth atomic -> text.append(" by ").append(word(atomic.swapOrAdd()));
                case ExtendedHeader.Immediate immediate ->
                    text.append(" imm 0x").append(Integer.toHexString(immediate.value()));
                case ExtendedHeader.Ieth ieth -> text.append(" inv 0x%08x".formatted(ieth.rkey()));
                case ExtendedHeader.AtomicSize size -> text.append(" size ").append(size.operandBytes());
                case ExtendedHeader.AtomicAddress where -> {}
                case ExtendedHeader.XrcEth xrc -> text.append(" srq ").append(xrc.srqNumber());
                case ExtendedHeader.DcEth dc -> text.append(of(dc));
                case ExtendedHeader.DcConnectEth connect -> text.append(of(connect, packet));
                case ExtendedHeader.Deth deth -> text.append(" from qp ").append(deth.sourceQp());
            }
        }
        return text.toString();
    }

    /** Returns the MSN; a CNAK has none (rule wire-dc-cnak). */
    private static String ofMessages(ExtendedHeader.Aeth aeth) {
        return aeth.syndrome() == Syndrome.NAK_CONNECT ? "" : " msn " + aeth.msn();
    }

    /** Returns {@code  session 257 channel 3}, without values that are 0; the session is 0 until its initiator knows it. */
    private static String of(ExtendedHeader.DcEth dc) {
        return (dc.sessionId() == 0 ? "" : " session " + dc.sessionId())
                + (dc.channel() == 0 ? "" : " channel " + dc.channel())
                + (dc.asksForFullHandshake() ? " full handshake" : "");
    }

    /** Returns {@code  from qp 18 again key 0x2a}, and the next PSN if it is not the one after the packet's. */
    private static String of(ExtendedHeader.DcConnectEth connect, Packet packet) {
        boolean goesOn = connect.nextPsn() == Psn.plus(packet.psn(), 1);
        return " from qp " + packet.dcEth().sender()
                + (connect.reconnect() ? " again" : "")
                + (goesOn ? "" : " next " + connect.nextPsn())
                + " key 0x" + Long.toHexString(connect.accessKey());
    }

    /** Returns small numbers in decimal, others in hexadecimal. */
    private static String word(long value) {
        return Math.abs(value) <= Integer.MAX_VALUE && value != Long.MIN_VALUE
                ? Long.toString(value)
                : "0x" + Long.toHexString(value);
    }

    /** Returns {@code RDMA_WRITE 3000 bytes}. */
    public static String of(WorkRequest work) {
        return work instanceof KeyWork change ? of(change) : verb(work) + " " + work.lengthBytes() + " bytes";
    }

    /** Returns {@code LOCAL_INV of key 0x00000300}. */
    private static String of(KeyWork work) {
        String verb = switch (work) {
            case LocalInvalidate invalidate -> "LOCAL_INV";
            case BindWindow bind -> "BIND_MW";
            case FillKey fill -> "UMR";
        };
        return "%s of key 0x%08x".formatted(verb, work.key());
    }

    private static String verb(WorkRequest work) {
        return switch (work) {
            case KeyWork change -> of(change);
            case Send send -> send(send);
            case RdmaWrite write -> write.immediate().isPresent() ? "RDMA_WRITE_WITH_IMM" : "RDMA_WRITE";
            case RdmaRead read -> "RDMA_READ";
            case CompareAndSwap swap -> "CMP_AND_SWP";
            case FetchAdd add -> "FETCH_AND_ADD";
            case MaskedCompareAndSwap swap -> "MASKED_CMP_AND_SWP";
            case MaskedFetchAdd add -> "MASKED_FETCH_AND_ADD";
        };
    }

    private static String send(Send send) {
        if (send.invalidate().isPresent()) {
            return "SEND_WITH_INV of key 0x%08x,".formatted(send.invalidate().getAsInt());
        }
        return send.immediate().isPresent() ? "SEND_WITH_IMM" : "SEND";
    }

    /** True if a responder's session ended normally; its new state is then no failure. */
    public static boolean endsSession(HcaEvent.StateChanged changed) {
        return changed.reason() instanceof StateReason reason && reason.endsSession();
    }

    /**
     * True if a packet was ignored, and neither its sender nor its receiver learns of it: its transport has no acknowledgements.
     * Management datagrams are repeated.
     */
    public static boolean isUnnoticed(HcaEvent.Discarded ignored) {
        Packet packet = ignored.packet();
        return !packet.opcode().transport().isAnswered()
                && packet.opcode().transport() != TransportClass.CNP
                && packet.bth().destQp() != MANAGEMENT;
    }

    /** Describes an event within an adapter; empty if diagrams omit it. */
    public static Optional<String> of(HcaEvent event) {
        return switch (event) {
            case HcaEvent.WorkPosted e ->
                Optional.of(e.element() + posts(e) + e.work().id() + ": " + of(e.work()));
            case HcaEvent.Completed e -> Optional.of(completion(e));
            case HcaEvent.StateChanged e ->
                Optional.of(
                        endsSession(e)
                                ? e.element() + " ends its session" + reason(e.reason())
                                : e.element() + " " + e.from() + " to " + e.to()
                                        + (e.reason() == StateReason.MODIFIED ? "" : reason(e.reason())));
            case HcaEvent.Retransmitting e ->
                Optional.of(e.element() + " goes back to psn " + e.psn() + reason(e.reason()));
            case HcaEvent.Discarded e -> Optional.of(e.element() + " ignores " + of(e.packet()) + reason(e.reason()));
            case HcaEvent.Raised e ->
                Optional.of("event " + e.event().kind() + " of " + e.event().element()
                        + (e.reason() == EventDetail.Plainly.SEE_CAUSE ? "" : reason(e.reason())));
            case HcaEvent.Failed e -> Optional.of(e.element() + " can't proceed" + reason(e.reason()));
            case HcaEvent.GaveUp e -> Optional.of(e.element() + " gives up at psn " + e.psn() + reason(e.reason()));
            case HcaEvent.BackedOff e -> Optional.of(e.element() + " waits " + micros(e.forNanos()) + " us");
            case HcaEvent.PagesAllocated e -> Optional.of(e.element() + " uses " + of(e.pages()));
            case HcaEvent.PageAllocationFailed e -> Optional.of("ENOMEM for " + e.process() + reason(e.reason()));
            case HcaEvent.VariableIgnored e -> Optional.of(ignored(e));
            case HcaEvent.KeyDeregistered e -> Optional.of(e.element() + " is deregistered");
            case HcaEvent.Reregistered e ->
                Optional.of("%s is reregistered: %d bytes from 0x%x, %s, in domain %d"
                        .formatted(e.element(), e.lengthBytes(), e.address(), e.rights(), e.domain()));
            case HcaEvent.BecameUndefined e -> Optional.of(e.element() + " is undefined: its re-registration failed");
            case HcaEvent.KeyChanged e -> Optional.of(change(e));
            case HcaEvent.KeyFilled e -> Optional.of(e.element() + " shows " + of(e.layout()));
            case HcaEvent.PageFaultRaised e -> Optional.of(PageWording.of(e));
            case HcaEvent.PagesMapped e -> Optional.of(PageWording.of(e));
            case HcaEvent.PageFaultFailed e -> Optional.of(e.element() + " gets no pages" + reason(e.reason()));
            case HcaEvent.PrefetchAccepted e -> Optional.of(PageWording.of(e));
            case HcaEvent.PrefetchFailed e -> Optional.of(PageWording.of(e) + reason(e.reason()));
            case HcaEvent.PagesInvalidated e -> Optional.of(PageWording.of(e));
            case HcaEvent.LeaseGranted e -> Optional.empty();
            case HcaEvent.LeaseReleased e -> Optional.empty();
            case HcaEvent.RequestDropped e -> Optional.of(e.element() + " drops " + e.workId());
            case HcaEvent.Woken e -> Optional.of(e.element() + " wakes its channel");
            case HcaEvent.WaiterAttached e -> Optional.of(e.element() + " names " + e.waiter());
            case HcaEvent.NotifySent e -> Optional.of(e.element() + " notifies " + e.waiter());
            case HcaEvent.Notified e -> Optional.of(notified(e));
            case HcaEvent.WaiterSleeps e -> Optional.of(e.element() + " waits");
            case HcaEvent.WaiterWakes e -> Optional.of(e.element() + " is woken: " + e.cause());
            case HcaEvent.WakeLatched e -> Optional.of(e.element() + " was woken while it ran: the wake-up is kept");
            case HcaEvent.WaitFailed e -> Optional.of(e.element() + " stops waiting: nothing woke it");
            case HcaEvent.WaiterEnded e -> Optional.of(e.element() + " ends");
            case HcaEvent.Armed e -> Optional.of(e.element() + " armed for " + e.what());
            case HcaEvent.AtomicExecuted e ->
                Optional.of(e.element() + " atomic: " + number(e.before()) + " becomes " + number(e.after()));
            case HcaEvent.InlineReceived e ->
                Optional.of(
                        e.element() + " puts " + e.bytes().length() + " bytes into the completion of " + e.workId());
            case HcaEvent.InlineCopied e ->
                Optional.of("%d bytes copied to 0x%x: %s's completion of %d is polled"
                        .formatted(e.bytes().length(), e.address(), e.element(), e.workId()));
            case HcaEvent.InlineCopyRefused e ->
                Optional.of("%s for %s's %d, whose completion is polled%s"
                        .formatted(
                                e.completion().status(),
                                e.element(),
                                e.completion().workId(),
                                reason(e.reason())));
            case HcaEvent.SessionChanged e -> SessionWording.of(e);
            case HcaEvent.ConnectionChanged e -> ConnectionWording.of(e);
            case HcaEvent.StreamReset e ->
                Optional.of(e.element() + "'s stream " + e.stream() + " accepts requests again");
            case HcaEvent.TagAdded e -> TagWording.of(e);
            case HcaEvent.TagRemoved e -> TagWording.of(e);
            case HcaEvent.TagsSynced e -> TagWording.of(e);
            case HcaEvent.TagMatched e -> TagWording.of(e);
            case HcaEvent.TagUnmatched e -> TagWording.of(e);
            case HcaEvent.TagReturned e -> TagWording.of(e);
            case HcaEvent.FetchBegun e -> TagWording.of(e);
            case HcaEvent.Fetched e -> TagWording.of(e);
            case HcaEvent.FetchFailed e -> TagWording.of(e);
            case HcaEvent.DcDestination e -> Optional.empty();
            case HcaEvent.XrcSrqDestroyed e -> Optional.of(e.element() + " is destroyed: peers can't name it any more");
            case HcaEvent.XrcSrqCreated e -> Optional.empty();
            case HcaEvent.XrcTargetCreated e -> Optional.empty();
            case HcaEvent.ReceiveTaken e -> Optional.empty();
            case HcaEvent.ReceiveReturned e -> Optional.empty();
            case HcaEvent.QueuePairCreated e -> Optional.empty();
            case HcaEvent.Modified e -> Optional.empty();
            case HcaEvent.ReceivePosted e -> Optional.empty();
            case HcaEvent.SharedReceivePosted e -> Optional.empty();
            case HcaEvent.EntryWritten e -> Optional.empty();
            case HcaEvent.EntriesTaken e -> Optional.empty();
            case HcaEvent.EntriesReturned e -> Optional.empty();
            case HcaEvent.Moderated e -> Optional.empty();
            case HcaEvent.Registered e -> Optional.empty();
            case HcaEvent.MemoryRead e -> Optional.empty();
            case HcaEvent.MemoryWritten e -> Optional.empty();
        };
    }

    private static String notified(HcaEvent.Notified event) {
        return switch (event.outcome()) {
            case WOKEN -> event.element() + "'s notification wakes " + event.waiter();
            case LATCHED ->
                event.element() + "'s notification finds " + event.waiter() + " running: its next wait ends at once";
            case UNIT_OFF -> event.element() + " interrupts for " + event.waiter() + ": the host's notify unit is off";
            case THREAD_GONE -> event.element() + " interrupts: " + event.waiter() + " has ended";
        };
    }

    private static String number(AtomicValue value) {
        return value.sizeBytes() == Long.BYTES ? word(value.toLong()) : value.toString();
    }

    private static String ignored(HcaEvent.VariableIgnored event) {
        return "%s of %s is ignored: %s; %s is allowed"
                .formatted(event.variable(), event.process(), event.value(), event.allowed());
    }

    /** Returns {@code 32 CONTIG pages of 32 KiB, node 0}. */
    private static String of(PageLayout pages) {
        int order = pages.order();
        String size = order < 20 ? (1 << order - 10) + " KiB" : (1 << order - 20) + " MiB";
        return pages.entries() + " " + pages.type() + (pages.entries() == 1 ? " page of " : " pages of ") + size
                + (pages.node().isPresent() ? ", node " + pages.node().getAsInt() : "");
    }

    /** Returns {@code 1600 bytes: 200 times 8 of key 0x00000200}, {@code 48 bytes: 3 times 2 pieces of 2 keys}. */
    private static String of(KeyLayout layout) {
        List<StridedSlice> slices = layout.slices();
        String times = layout.isInterleaved() ? layout.repeatCount() + " times " : "";
        String pieces =
                slices.size() == 1 ? String.valueOf(slices.getFirst().lengthBytes()) : slices.size() + " pieces";
        return layout.lengthBytes() + " bytes: " + times + pieces + ofKeys(slices);
    }

    private static String ofKeys(List<StridedSlice> slices) {
        Set<Integer> keys = slices.stream().map(StridedSlice::lkey).collect(Collectors.toSet());
        return switch (keys.size()) {
            case 0 -> "";
            case 1 -> " of key 0x%08x".formatted(slices.getFirst().lkey());
            default -> " of " + keys.size() + " keys";
        };
    }

    /** Describes an event that diagrams of a whole run omit. */
    public static Optional<String> detail(TraceEvent event) {
        return switch (event) {
            case HcaEvent.ReceivePosted e ->
                Optional.of(e.element() + " gets receive " + e.workId() + " of " + e.lengthBytes() + " bytes");
            case HcaEvent.SharedReceivePosted e ->
                Optional.of(e.element() + " gets receive " + e.workId() + " of " + e.lengthBytes() + " bytes");
            case HcaEvent.ConnectionChanged e -> ConnectionWording.detail(e);
            case HcaEvent.DcDestination e ->
                Optional.of("to target %d at %s%s"
                        .formatted(e.target(), e.at(), e.stream() == 0 ? "" : ", on stream " + e.stream()));
            case HcaEvent.XrcSrqCreated e ->
                Optional.of("peers may name %s of XRC domain %d, which completes in cq%d"
                        .formatted(e.element(), e.xrcDomain(), e.cq()));
            case HcaEvent.XrcTargetCreated e ->
                Optional.of(e.element() + " is a target of XRC domain " + e.xrcDomain());
            case HcaEvent.ReceiveTaken e ->
                Optional.of("qp%d takes receive %d of %s".formatted(e.qp(), e.workId(), e.element()));
            case HcaEvent.ReceiveReturned e ->
                Optional.of("qp%d gives receive %d back to %s".formatted(e.qp(), e.workId(), e.element()));
            case HcaEvent.EntryWritten e ->
                Optional.of(e.element() + " gets the entry of qp" + e.qp() + "'s request " + e.workId());
            case HcaEvent.EntriesTaken e -> Optional.of(e.entries() + " taken from " + e.element());
            case HcaEvent.EntriesReturned e -> Optional.of(e.entries() + " back in " + e.element());
            case HcaEvent.MemoryRead e ->
                Optional.of(e.element() + " reads " + e.lengthBytes() + " bytes at 0x%x".formatted(e.address()));
            case HcaEvent.MemoryWritten e ->
                Optional.of(e.element() + " writes " + e.bytes().length() + " bytes at 0x%x".formatted(e.address()));
            default -> Optional.empty();
        };
    }

    /** Returns {@code key 0x00000301, formerly 0x00000300, shows 64 bytes of key 0x00000200}. */
    private static String change(HcaEvent.KeyChanged change) {
        String name = change.element().equals(change.before())
                ? change.element().toString()
                : change.element()
                        + ", formerly 0x%08x,".formatted(change.before().number());
        String shows = change.shows()
                .map(mapping -> mapping.lengthBytes() + " bytes"
                        + mapping.parent().map(parent -> " of " + parent).orElse(""))
                .orElse("no bytes");
        return name + " shows " + shows;
    }

    private static String reason(Reason reason) {
        return ": " + ReasonTexts.of(reason);
    }

    // rule rendezvous-read
    /** A posting of the adapter itself has a cause. */
    private static String posts(HcaEvent.WorkPosted posted) {
        return posted.stamp().cause() == 0 ? " posts " : " posts for itself ";
    }

    private static String completion(HcaEvent.Completed done) {
        WorkCompletion completion = done.completion();
        String element = TagWording.isOfList(completion)
                ? done.element() + " completes operation "
                : "qp" + completion.qpNumber() + " completes ";
        return element + completion.workId() + ": "
                + (completion.isSuccess()
                        ? completion.kind() + " SUCCESS" + TagWording.of(completion)
                        : completion.status().name());
    }

    /** Returns {@code 12.288}: microseconds with nanosecond precision. */
    public static String micros(long nanos) {
        return "%d.%03d".formatted(nanos / 1000, nanos % 1000);
    }

    /**
     * Describes an event within an adapter or an action of the testkit; empty for packets and for events that diagrams omit.
     */
    public static Optional<String> inside(TraceEvent event) {
        return switch (event) {
            case HcaEvent inside -> of(inside);
            case TestkitEvent bench -> Optional.of((bench.isOfProgram() ? "" : "! ") + bench.what());
            default -> Optional.empty();
        };
    }
}
