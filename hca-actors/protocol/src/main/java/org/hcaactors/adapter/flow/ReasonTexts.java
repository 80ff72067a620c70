// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Syndrome;

/** Texts of the reasons, for people. Checks never read them: they compare {@link Reason}s. */
public final class ReasonTexts {
    private ReasonTexts() {}

    public static String of(Reason reason) {
        return switch (reason) {
            case BadResponse bad -> badAnswer(bad);
            case BadRequest bad -> badRequest(bad);
            case DependencyFailure failure -> dependencyFailure(failure);
            case RetriesExhausted spent -> spent(spent);
            case GoBack back -> goBack(back);
            case Ignored.GivenUp ignored -> of(ignored.reason()) + "; the message is dropped";
            case Ignored.Plainly ignored -> ignored(ignored);
            case KeyDenied denied -> key(denied);
            case NoPages none -> noPages(none);
            case NoReceive none -> noReceive(none);
            case NoSession none -> noSession(none);
            case EventDetail notice -> notice(notice);
            case PageAbsent absent ->
                "the page at 0x%x of %s 0x%08x is absent; the host fetches it"
                        .formatted(absent.address(), name(absent.name()), absent.key());
            case Reason.Unknown unknown -> unknown.text();
            case RequestRefused refused -> refused(refused);
            case StateReason change -> state(change);
            case PacketMismatch stray -> mismatch(stray);
            case InlineCopyFailed uncopied -> uncopied(uncopied);
            case BadCommand command -> badCommand(command);
        };
    }

    private static String noPages(NoPages none) {
        return "%s=%s and %d bytes: %s; the host has %d bytes free in blocks up to order %d, and %d huge pages"
                .formatted(
                        none.variable(),
                        none.type(),
                        none.lengthBytes(),
                        noBlocks(none),
                        none.freeBytes(),
                        none.largestOrder(),
                        none.hugePages());
    }

    private static String noBlocks(NoPages none) {
        if (none.firstOrder() == 0) {
            return "no memory of this type is free";
        }
        if (none.lastOrder() == 0) {
            return "the host's kernel does not support contiguous pages";
        }
        return "no free blocks of order " + none.firstOrder()
                + (none.firstOrder() == none.lastOrder() ? "" : " to " + none.lastOrder())
                + (none.node() < 0 ? "" : " on node " + none.node() + " or elsewhere");
    }

    private static String badAnswer(BadResponse bad) {
        return switch (bad) {
            case BadResponse.PeerRefused nak -> "its peer answered " + Syndrome.describe(nak.syndrome());
            case BadResponse.UnwantedData data -> "a response with data to a request that expects none";
            case BadResponse.OtherKind other -> other.answer() + " in response to " + other.request();
            case BadResponse.OtherPart other ->
                other.answer() + " has the wrong position in its message, or the wrong length";
        };
    }

    private static String badRequest(BadRequest bad) {
        return switch (bad) {
            case BadRequest.NoReadsAllowed none -> "the queue pair's max_rd_atomic is 0";
            case BadRequest.AtomicLength atomic -> "an atomic into " + atomic.lengthBytes() + " bytes; it requires 8";
            case BadRequest.MaskedAtomicLength atomic ->
                "a masked atomic into " + atomic.lengthBytes() + " bytes; it requires " + atomic.sizeBytes();
            case BadRequest.MessageTooLong message ->
                "a message of " + message.lengthBytes() + " bytes; at most " + message.maxBytes() + " are allowed";
            case BadRequest.DatagramTooLong datagram ->
                "a datagram of " + datagram.lengthBytes() + " bytes; the port's MTU is " + datagram.mtuBytes();
            case BadRequest.NoSourceAddress none -> "the port has no address of the peer's IP version";
            case BadRequest.ForeignPath path -> "an address handle of another protection domain or adapter";
        };
    }

    private static String dependencyFailure(DependencyFailure failure) {
        return switch (failure) {
            case ITS_ACTOR -> "its actor crashed";
            case COMPLETION_QUEUE -> "its completion queue is in error";
            case SHARED_RECEIVES -> "its shared receive queue is in error";
            case DEVICE -> "the adapter is in error";
        };
    }

    private static String spent(RetriesExhausted spent) {
        return switch (spent) {
            case RetriesExhausted.Retries retries ->
                goBack(retries.last()) + ", retry count " + retries.retryCount() + " is exhausted";
            case RetriesExhausted.RnrRetries waits -> "RNR NAK, RNR retry count " + waits.rnrRetry() + " is exhausted";
        };
    }

    private static String goBack(GoBack back) {
        return switch (back) {
            case TIMEOUT -> "timeout";
            case SEQUENCE_NAK -> "NAK PSN sequence error";
            case IMPLIED_NAK -> "a response is missing (implied NAK)";
            case RNR_TIMER_EXPIRED -> "RNR timer expired";
            case PAGE_PRESENT -> "the page of the response is present";
            case SPECULATION_REFUSED -> "the target accepts no request before its session is known";
        };
    }

    private static String ignored(Ignored.Plainly ignored) {
        return switch (ignored) {
            case GHOST -> "ghost response: its PSN is not outstanding";
            case WENT_BACK_FOR_NAK -> "the requester already retransmitted for this NAK";
            case WENT_BACK_FOR_RESPONSE ->
                "an earlier response is missing, and the requester already retransmitted for it";
            case BACKING_OFF -> "sending continues when the RNR timer expires";
            case NAK_PENDING -> "out of sequence, and a NAK was already sent";
            case FORGOTTEN_READ -> "a duplicate READ that is not remembered";
            case FORGOTTEN_ATOMIC -> "a duplicate atomic that is not remembered";
            case CONNECTION_HAS_FAILED -> "the connection has failed";
            case QUEUE_PAIR_HAS_FAILED -> "the queue pair has failed";
            case PAGE_IS_ABSENT -> "its page is absent, and the transport does not wait for pages";
            case OF_ANOTHER_SESSION -> "it belongs to a session that has ended";
            case RESPONSE_PAGE_AWAITED ->
                "the page of the response is absent; it is requested again when the page is present";
            case RECEIVE_BUFFER_FULL -> "receive buffer full: packets arrive faster than the queue pair handles them";
            case BACKLOG_FULL -> "backlog full: as many requests wait for the program as its listener allows";
            case RESPONSES_WAIT -> "receive buffer full while waiting for a lease";
            case REQUESTS_WAIT -> "receive buffer full while waiting for memory";
            case PART_OF_A_MESSAGE_GIVEN_UP -> "part of a message that was dropped";
            case PACKET_MISSING -> "a packet of the message is missing";
            case MESSAGE_NEVER_ENDED -> "the previous message did not end";
            case WRONG_LENGTH -> "wrong length";
            case LONGER_THAN_RECEIVE -> "longer than the receive";
            case TAKES_NO_WRITE -> "the queue pair accepts no WRITE";
            case RECEIVE_MEMORY_UNUSABLE -> "the receive's memory can't be used";
        };
    }

    private static String key(KeyDenied denied) {
        return "%s 0x%08x %s".formatted(name(denied.name()), denied.key(), denial(denied.reason()));
    }

    private static String name(KeyDenied.Name name) {
        return switch (name) {
            case L_KEY -> "L_Key";
            case R_KEY -> "R_Key";
            case KEY -> "key";
        };
    }

    private static String denial(Denial reason) {
        return switch (reason) {
            case Denial.Unregistered unknown -> "is not registered, or was deregistered";
            case Denial.ForeignDomain foreign ->
                "belongs to protection domain " + foreign.domain() + "; " + foreign.needed() + " is needed";
            case Denial.OutOfRange range -> outOfRange(range);
            case Denial.MissingRight missing -> "does not allow " + missing.right();
            case Denial.NotBound nothing -> "maps no memory now";
            case Denial.Undefined undefined -> "is undefined because its re-registration failed";
            case Denial.Revoked taken -> "shows peer memory that its driver revoked";
            case Denial.OnlyShared shared -> "is of a region that can only be shared, and allows no RDMA";
            case Denial.OfPart part ->
                "shows memory of key 0x%08x, which %s".formatted(part.key(), denial(part.reason()));
            case Denial.TooDeep deep -> "refers to more levels of keys than the adapter supports";
            case Denial.NotBindable not -> "is of a kind to which no window can be bound";
            case Denial.ZeroBased zero -> "begins at address 0; no window can be bound to it";
            case Denial.InUse held -> heldOn(held.holders());
            case Denial.UnsupportedChange unfit ->
                "is of a kind that does not support this change: windows can be bound, indirect keys filled, and both"
                        + " invalidated, except windows of type 1";
            case Denial.RemoteOnly afar -> "is of a memory window, which only a peer can use";
            case Denial.OtherQueuePair other ->
                "is tied to queue pair " + other.queuePair() + "; " + other.needed() + " is needed";
            case Denial.StillBound bound -> "is bound; invalidate it before it is bound again";
            case Denial.EmptyWindow empty -> "is of a kind that can't be bound to 0 bytes";
            case Denial.NotZeroBased not -> "is of a kind that can't be zero-based";
            case Denial.NotAPart not -> "is of a kind to which no indirect key can refer";
            case Denial.TooManyEntries many -> "has room for " + many.max() + " entries, not for " + many.entries();
            case Denial.NotOneWord bytes ->
                "shows the %d bytes from 0x%x, but not as one aligned word".formatted(bytes.count(), bytes.from());
            case Denial.NotMapped not ->
                "has no page at 0x%x: its process has no memory there".formatted(not.address());
            case Denial.NotHuge not -> "has no huge page at 0x%x: its process has none there".formatted(not.address());
            case Denial.NoPagingForUse not ->
                "has no page at 0x%x now, and this access does not wait for pages".formatted(not.address());
            case Denial.NotRemotelyInvalidatable not -> "can't be invalidated by a peer";
        };
    }

    /** A range inside of a physical region may still have no memory behind it. */
    private static String outOfRange(Denial.OutOfRange range) {
        long offset = range.from() - range.address();
        boolean inside = offset >= 0 && range.count() >= 0 && range.count() <= range.lengthBytes() - offset;
        return inside
                ? "covers physical addresses; the host has no contiguous memory for the %d bytes from 0x%x"
                        .formatted(range.count(), range.from())
                : "covers %d bytes from 0x%x; the %d bytes from 0x%x are not inside"
                        .formatted(range.lengthBytes(), range.address(), range.count(), range.from());
    }

    private static String heldOn(int windows) {
        return windows == 1
                ? "has a window bound to it; unbind, invalidate or deallocate it first"
                : "has %d windows bound to it; unbind, invalidate or deallocate them first".formatted(windows);
    }

    private static String noReceive(NoReceive none) {
        return switch (none) {
            case NONE_IS_POSTED -> "no receive is posted";
            case SHARED_QUEUE_IS_EMPTY -> "its shared receive queue is empty";
            case STARVED -> "a test withholds its receives";
        };
    }

    private static String notice(EventDetail notice) {
        return switch (notice) {
            case EventDetail.Plainly plain ->
                switch (plain) {
                    case SEE_CAUSE -> "";
                    case FIRST_PACKET_IN_RTR -> "the first packet arrived while the queue pair was in RTR";
                    case DRAINED -> "in SQD, and all started requests have completed";
                    case TAKES_NO_MORE_RECEIVES ->
                        "in ERR, and it takes no more receives from its shared receive queue";
                    case CABLE_IN -> "the cable was plugged in";
                    case CABLE_OUT -> "the cable was pulled";
                    case FIRMWARE_RESET -> "its firmware was reset";
                    case WARM_REBOOT -> "its host was rebooted";
                    case POWER_CYCLE -> "its slot was power-cycled";
                };
            case EventDetail.GidTableSet gids -> "the host set a GID table of size " + gids.entries();
            case EventDetail.PkeyTableSet pkeys -> "a subnet manager set a P_Key table of size " + pkeys.entries();
            case EventDetail.BelowLimit low ->
                low.receives() + " receives are in it, fewer than its limit of " + low.limit();
            case EventDetail.Overrun full ->
                "of its " + full.capacity() + " entries " + full.waiting() + " wait to be polled and "
                        + full.underway() + " are on their way to a subscriber; the completion of request "
                        + full.workId()
                        + " of qp" + full.qp() + " did not fit";
        };
    }

    private static String noSession(NoSession none) {
        return switch (none) {
            case NoSession.WrongKey wrong ->
                "initiator %d sent a wrong access key, 0x%x".formatted(wrong.initiator(), wrong.accessKey());
            case NoSession.FewResponders few ->
                "%s %s free, and %d %s reserved: the target answers CNAK"
                        .formatted(counted(few.left(), "responder"), are(few.left()), few.spared(), are(few.spared()));
            case NoSession.NoResponder empty ->
                "none of %s is free: the target does not answer".formatted(counted(empty.max(), "responder"));
            case NoSession.TooManyPeers full ->
                "the target already knows %s: it answers CNAK".formatted(counted(full.max(), "peer"));
            case NoSession.Forgotten forgotten ->
                "session " + forgotten.session() + " is forgotten: it is unknown which requests of it were executed";
            case NoSession.Draining draining -> "the target is draining: it answers CNAK";
            case NoSession.Broken broken -> "the target is in error";
        };
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static String are(int count) {
        return count == 1 ? "is" : "are";
    }

    private static String refused(RequestRefused refused) {
        return switch (refused) {
            case RequestRefused.NoSuchSharedReceives named ->
                "its XRC domain has no shared receive queue " + named.number();
            case RequestRefused.OtherSharedReceives named ->
                "a message for shared receive queue " + named.before() + " continues for " + named.number();
            case RequestRefused.SharedReceivesFailed named ->
                "shared receive queue " + named.number() + " is in error, or its completion queue is";
            case RequestRefused.NotAllowed denied -> "the queue pair does not allow " + denied.right();
            case RequestRefused.TooManyReads reads ->
                "more outstanding READs and atomics than its max_dest_rd_atomic of " + reads.maxDestRdAtomic();
            case RequestRefused.PacketLength packet ->
                packet.operation() + " with " + packet.lengthBytes() + " bytes at a path MTU of " + packet.mtuBytes();
            case RequestRefused.OutOfPlace packet ->
                packet.operation()
                        + (packet.inside() == RequestRefused.Inside.NOTHING
                                ? " outside of a message"
                                : " inside of a " + packet.inside());
            case RequestRefused.Invalidation key -> "the key to invalidate: " + key(key.reason());
            case RequestRefused.ReadTooLong read -> "a READ of more than 2^31 bytes";
            case RequestRefused.NoAtomics none -> none.profile() + " has no atomics";
            case RequestRefused.AtomicMisaligned atomic ->
                "an atomic at 0x%x, which is not a multiple of 8".formatted(atomic.address());
            case RequestRefused.MaskedAtomicMisaligned atomic ->
                "a masked atomic at 0x%x, which is not a multiple of %d"
                        .formatted(atomic.address(), atomic.sizeBytes());
            case RequestRefused.NoAtomicsOfThatSize none ->
                "%s has no masked atomics of %d bytes; %s"
                        .formatted(
                                none.profile(),
                                none.sizeBytes(),
                                none.sizes() == 0
                                        ? "it has none"
                                        : AtomicCapabilities.sizes(none.sizes()) + " are allowed");
            case RequestRefused.AtomicOperands operands ->
                "a %s with %d bytes of operands; an atomic of %d bytes takes %d"
                        .formatted(
                                operands.operation(),
                                operands.lengthBytes(),
                                operands.sizeBytes(),
                                operands.sizeBytes() * (operands.operation() == Operation.MASKED_FETCH_ADD ? 2 : 4));
            case RequestRefused.LongerThanReceive message ->
                "a message longer than its receive of " + message.receiveBytes() + " bytes";
            case RequestRefused.DatagramLongerThanReceive datagram ->
                "a datagram of " + datagram.lengthBytes() + " bytes and the 40 of its GRH are more than"
                        + " the receive's " + datagram.receiveBytes();
            case RequestRefused.ReceiveMemory memory -> "the receive's memory: " + key(memory.reason());
            case RequestRefused.ReceiveLost lost ->
                of(lost.reason()) + "; its receive, taken from a shared receive queue, can't be returned";
        };
    }

    private static String state(StateReason change) {
        return switch (change) {
            case MODIFIED -> "modify";
            case MODIFIED_TO_ERR -> "modified to ERR";
            case CLOSED -> "closed";
            case A_REQUEST_FAILED -> "a request failed";
            case REFUSED_ITS_PEER -> "a peer's request was refused";
            case SESSION_ENDED -> "its peer disconnected";
            case SESSION_IDLE -> "its peer was silent for too long";
            case SESSION_REPLACED -> "its peer connected again";
        };
    }

    private static String badCommand(BadCommand reason) {
        return switch (reason) {
            case BadCommand.Length length ->
                "a WRITE of " + length.lengthBytes()
                        + " bytes to a region that tunnels atomics; each command has 16 bytes";
            case BadCommand.TooMany many ->
                "a WRITE of %d bytes of tunneled atomics; %d are allowed"
                        .formatted(many.lengthBytes(), many.maxBytes());
            case BadCommand.Unknown unknown ->
                "tunneled atomic %d: 0x%08x is not a valid command header; functions 0 to 7 with 2^2 or 2^3 bytes are allowed"
                        .formatted(unknown.number(), unknown.head());
            case BadCommand.Misaligned misaligned ->
                "tunneled atomic %d at 0x%x, which is not a multiple of %d"
                        .formatted(misaligned.number(), misaligned.address(), misaligned.sizeBytes());
            case BadCommand.Outside outside -> "tunneled atomic " + outside.number() + ": " + of(outside.reason());
        };
    }

    private static String uncopied(InlineCopyFailed reason) {
        return switch (reason) {
            case InlineCopyFailed.NothingMapped nothing ->
                "no memory is mapped at 0x%x, %d bytes, where the completion's data must be copied"
                        .formatted(nothing.address(), nothing.lengthBytes());
            case InlineCopyFailed.LongerThanBuffers longer ->
                "the completion carries " + longer.lengthBytes() + " bytes, and the buffers have room for "
                        + longer.roomBytes();
            case InlineCopyFailed.NotByAddress key ->
                "a completion's data can't be copied through key 0x%08x: it %s".formatted(key.key(), addresses(key));
        };
    }

    private static String addresses(InlineCopyFailed.NotByAddress key) {
        return switch (key.addresses()) {
            case PHYSICAL -> "has physical addresses";
            case OF_NOTHING -> "refers to no memory";
            case SHIFTED -> "has addresses other than those of its memory";
            case INDIRECT -> "is an indirect key with separate addresses";
            case OF_A_DEVICE -> "has addresses of a peer device";
        };
    }

    private static String mismatch(PacketMismatch stray) {
        return switch (stray) {
            case PacketMismatch.OneWay.NO_REQUESTER -> "a response, and the queue pair has no requester";
            case PacketMismatch.OneWay.NO_RESPONDER -> "a request, and the queue pair has no responder";
            case PacketMismatch.TransportVersion other -> "transport version " + other.version();
            case PacketMismatch.ForeignClass other -> other.opcode() + " for a queue pair of class " + other.own();
            case PacketMismatch.WrongState wrong -> "the queue pair is in " + wrong.state();
            case PacketMismatch.ResponseInState early -> "a response while the queue pair is in " + early.state();
            case PacketMismatch.Pkey other ->
                "P_Key 0x%04x; this queue pair's is 0x%04x".formatted(other.pkey(), other.own());
            case PacketMismatch.Qkey other ->
                "Q_Key 0x%08x; this queue pair's is 0x%08x".formatted(other.qkey(), other.own());
            case PacketMismatch.NoSession none -> "initiator " + none.initiator() + " has no session with this target";
            case PacketMismatch.OtherSession other ->
                "of session " + other.session() + "; the current session is " + other.own();
            case PacketMismatch.Speculative early ->
                "sent before its session was known, and the target requires a full handshake";
            case PacketMismatch.DcVersion other ->
                "DC version " + other.version() + "; this adapter supports " + other.own();
            case PacketMismatch.NotTheTarget other ->
                "from target " + other.target() + "; the connection is to " + other.connected();
            case PacketMismatch.NotThePeer stranger -> "from " + stranger.source() + ", which is not the peer";
        };
    }
}
