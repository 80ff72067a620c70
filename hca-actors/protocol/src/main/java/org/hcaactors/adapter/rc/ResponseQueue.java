// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import java.util.ArrayDeque;
import java.util.List;
import org.hcaactors.adapter.atomic.OriginalValue;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.message.Payloads;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.LocalMemory.Accessibility;
import org.hcaactors.adapter.work.PendingPageFault;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.capability.PagingCapabilities.Use;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.mutation.MutationPoint;

/**
 * Responses that an RC responder owes its requester, in PSN order (rule rc-answers-in-order). Consecutive plain
 * acknowledgements coalesce: only the newest is sent (rule rc-ack).
 */
final class ResponseQueue {
    /** One response. */
    private sealed interface Answer {}

    /** An acknowledgement of any kind; a fatal one ends the connection when it is sent. */
    private record Acknowledgement(int psn, int syndrome, int msn, boolean fatal, long cause) implements Answer {}

    private record AtomicResult(int psn, int msn, AtomicValue original, boolean again, long cause) implements Answer {}

    /** A READ whose responses are being sent. */
    private static final class ReadStream implements Answer {
        final ExtendedHeader.Reth request;
        final LocalMemory memory;
        final int firstPsn;
        final int packets;
        final int msn;
        final boolean again;
        final long cause;
        int sent;

        ReadStream(
                ExtendedHeader.Reth request,
                LocalMemory memory,
                int firstPsn,
                int packets,
                int msn,
                boolean again,
                long cause) {
            this.request = request;
            this.memory = memory;
            this.firstPsn = firstPsn;
            this.packets = packets;
            this.msn = msn;
            this.again = again;
            this.cause = cause;
        }
    }

    private final QpSettings settings;
    private final PendingPageFault pages;
    private final int rnrTimer;
    /** Initially small, since most connections owe one response at a time. */
    private final ArrayDeque<Answer> answers = new ArrayDeque<>(1);

    private boolean ackDue;
    private int ackPsn;
    private int ackMsn;
    private long ackCause;
    private boolean fatalSent;
    /** Event of a READ that could not be answered, until the consequences are reported; 0 if there is none. */
    private long failure;

    /** @param rnrTimer timer code of the RNR NAKs for absent pages */
    ResponseQueue(QpSettings settings, PendingPageFault pages, int rnrTimer) {
        this.settings = settings;
        this.rnrTimer = rnrTimer;
        this.pages = pages;
    }

    void clear() {
        answers.clear();
        ackDue = false;
        fatalSent = false;
        failure = 0;
    }

    int size() {
        return answers.size();
    }

    /** Number of responses not yet sent, the coalesced acknowledgement included. */
    int pending() {
        return answers.size() + (ackDue ? 1 : 0);
    }

    /** Number of READs and atomics accepted and not fully answered; duplicates don't count. */
    int outstandingRdAtomic() {
        int count = 0;
        for (Answer answer : answers) {
            count += switch (answer) {
                case Acknowledgement ack -> 0;
                case AtomicResult result -> result.again ? 0 : 1;
                case ReadStream read -> read.again ? 0 : 1;
            };
        }
        return count;
    }

    /** True if a NAK that ends the connection has been sent. */
    boolean isFatalSent() {
        return fatalSent;
    }

    /** Makes what follows in the turn a consequence of a READ that could not be answered, if one has just failed. */
    void blame(Turn turn) {
        if (failure != 0) {
            turn.because(failure);
            failure = 0;
        }
    }

    /** Records that a request without a response of its own was executed; it is acknowledged if it requests that (rule rc-ack). */
    void executed(Packet request, int msn, long cause) {
        if (request.bth().ackReq()) {
            acknowledge(request.psn(), msn, cause);
        }
    }

    @MutationPoint("response-queue.acknowledge")
    void acknowledge(int psn, int msn, long cause) {
        ackDue = true;
        ackPsn = psn;
        ackMsn = msn;
        ackCause = cause;
    }

    void nak(int psn, int syndrome, int msn, boolean fatal, long cause) {
        settleAck();
        answers.add(new Acknowledgement(psn, syndrome, msn, fatal, cause));
    }

    @MutationPoint("response-queue.atomic")
    void atomic(int psn, int msn, AtomicValue original, long cause) {
        settleAck();
        answers.add(new AtomicResult(psn, msn, original, false, cause));
    }

    /** Queues the saved result as the response to a duplicate. */
    void atomicAgain(int psn, int msn, AtomicValue original, long cause) {
        settleAck();
        answers.add(new AtomicResult(psn, msn, original, true, cause));
    }

    /** @param memory access to the memory that is read */
    void read(int firstPsn, ExtendedHeader.Reth request, LocalMemory memory, int msn, long cause) {
        stream(firstPsn, request, memory, msn, false, cause);
    }

    /** Queues a READ of the memory as it is now as the response to a duplicate. */
    void readAgain(int firstPsn, ExtendedHeader.Reth request, LocalMemory memory, int msn, long cause) {
        stream(firstPsn, request, memory, msn, true, cause);
    }

    @MutationPoint("response-queue.stream")
    private void stream(
            int firstPsn, ExtendedHeader.Reth request, LocalMemory memory, int msn, boolean again, long cause) {
        settleAck();
        int packets = Psn.packets(request.lengthUnsigned(), settings.mtuBytes);
        answers.add(new ReadStream(request, memory, firstPsn, packets, msn, again, cause));
    }

    @MutationPoint("response-queue.settle-ack")
    private void settleAck() {
        if (ackDue) {
            answers.add(new Acknowledgement(ackPsn, Syndrome.ACK, ackMsn, false, ackCause));
            ackDue = false;
        }
    }

    /** Sends up to {@code budget} packets; stops where a READ's memory is not yet accessible. */
    int transmit(Headers on, int budget, Turn turn) {
        int sent = 0;
        while (sent < budget && !fatalSent) {
            Answer answer = answers.peek();
            if (answer == null) {
                if (!ackDue) {
                    break;
                }
                settleAck();
                continue;
            }
            int step = switch (answer) {
                case Acknowledgement ack -> sendAck(on, ack, turn);
                case AtomicResult result -> sendAtomic(on, result, turn);
                case ReadStream read -> sendRead(on, read, turn);
            };
            if (step == 0) {
                break;
            }
            sent += step;
        }
        return sent;
    }

    private int sendAck(Headers on, Acknowledgement ack, Turn turn) {
        answers.remove();
        turn.send(on.acknowledgement(ack.psn, ack.syndrome, ack.msn), ack.cause);
        fatalSent = ack.fatal;
        return 1;
    }

    private int sendAtomic(Headers on, AtomicResult result, Turn turn) {
        answers.remove();
        List<ExtendedHeader> headers =
                List.of(new ExtendedHeader.Aeth(Syndrome.ACK, result.msn), OriginalValue.header(result.original));
        Octets rest = OriginalValue.rest(result.original);
        Packet packet = on.packet(Operation.ATOMIC_ACKNOWLEDGE, result.psn, false, false, headers, rest);
        turn.send(packet, result.cause);
        return 1;
    }

    /** Sends a fatal NAK and drops all other responses, including those queued before. */
    private int denied(Headers on, Acknowledgement nak, Turn turn) {
        answers.clear();
        ackDue = false;
        answers.add(nak);
        return sendAck(on, nak, turn);
    }

    // rules paging-stream, paging-rnr
    /** Sends an RNR NAK in the middle of a READ. The peer requests the rest again, and ignores later responses until then. */
    private int rnrSent(Headers on, ReadStream read, int psn, Turn turn) {
        answers.remove();
        turn.send(on.acknowledgement(psn, Syndrome.rnr(rnrTimer), read.msn), read.cause);
        return 1;
    }

    // rule paging-stream
    /** Requests the pages of the whole rest of an accepted READ. */
    private Accessibility rest(ReadStream read, long address, long from, Turn turn) {
        long left = read.request.lengthUnsigned() - from;
        read.memory.widen(read.request.rkey(), address, left, Access.REMOTE_READ, turn);
        return pages.raise(read.memory, PageFault.Kind.REMOTE, Use.READ, turn);
    }

    /**
     * Sends one response packet. Memory is read now, not when the request arrived (rule rc-read-now). Returns 0 if a lease or
     * page is awaited.
     */
    @MutationPoint("response-queue.send-read")
    private int sendRead(Headers on, ReadStream read, Turn turn) {
        long from = (long) read.sent * settings.mtuBytes;
        int count = (int) Math.min(settings.mtuBytes, read.request.lengthUnsigned() - from);
        int psn = Psn.plus(read.firstPsn, read.sent);
        long address = read.request.address() + from;
        Octets payload = Octets.NONE;
        if (count > 0) {
            Accessibility reach =
                    read.memory.checkAccess(read.request.rkey(), address, count, Access.REMOTE_READ, turn);
            if (reach == Accessibility.AWAITING) {
                return 0;
            }
            long before = turn.because(read.cause);
            if (reach == Accessibility.ABSENT) {
                reach = rest(read, address, from, turn);
            }
            if (reach == Accessibility.AWAITING) {
                turn.because(before);
                return 0;
            }
            if (reach == Accessibility.ABSENT) {
                turn.failed(read.memory.whatIsAbsent());
                turn.because(before);
                return rnrSent(on, read, psn, turn);
            }
            if (reach == Accessibility.FORBIDDEN) {
                turn.failed(read.memory.whyNot());
                turn.raise(AsyncEvent.Kind.QP_ACCESS_ERR, EventDetail.Plainly.SEE_CAUSE);
                failure = turn.because(before);
                turn.count(Counter.RESP_REMOTE_ACCESS_ERRORS);
                Acknowledgement nak = new Acknowledgement(psn, Syndrome.NAK_REMOTE_ACCESS, read.msn, true, read.cause);
                return denied(on, nak, turn);
            }
            payload = payload(read, address, count, turn);
            turn.because(before);
        }
        boolean first = read.sent == 0;
        boolean last = read.sent == read.packets - 1;
        Operation operation = first
                ? last ? Operation.READ_RESPONSE_ONLY : Operation.READ_RESPONSE_FIRST
                : last ? Operation.READ_RESPONSE_LAST : Operation.READ_RESPONSE_MIDDLE;
        List<ExtendedHeader> headers =
                first || last ? List.of(new ExtendedHeader.Aeth(Syndrome.ACK, read.msn)) : List.of();
        turn.send(on.packet(operation, psn, false, false, headers, payload), read.cause);
        if (last) {
            answers.remove();
        } else {
            read.sent++;
        }
        return 1;
    }

    /** Reads or lends memory that can be accessed. */
    private static Octets payload(ReadStream read, long address, int count, Turn turn) {
        int key = read.request.rkey();
        boolean isLong = read.request.lengthUnsigned() >= Payloads.MIN_LENT_BYTES;
        if (isLong && turn.mayLend() && read.memory.canLend(key)) {
            return read.memory.lend(key, address, count, 1, turn);
        }
        byte[] bytes = new byte[count];
        read.memory.load(key, address, bytes, 0, count, turn);
        return Octets.wrap(bytes, 0, count);
    }
}
