// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.SessionStep;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.rc.Rc;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.Initiator;
import org.hcaactors.adapter.work.NoInitiator;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.DcEth;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Responder of a DC target for one peer, from CONNECT to DISCONNECT: an RC responder for the duration of the session (rule
 * dc-responder).
 */
final class DcResponder implements Target {
    private static final long NEVER = Long.MAX_VALUE;

    // rule dc-reclaim
    /**
     * Number of additional idle periods before the session of a peer ends in the middle of a message, since a new session
     * could not continue that message.
     */
    private static final int MAX_IDLE_PERIODS = 1;

    private final QpSettings settings;
    private final QpPlan.Session session;
    private final Target inner;

    /** DC header of each packet that it sends. */
    private final DcEth header;

    private @Nullable Headers headers;

    /** PSN of a CONNECT or DISCONNECT that is still to be acknowledged. */
    private OptionalInt pendingAck = OptionalInt.empty();

    @MutationPoint("dc-responder.over")
    private Optional<StateReason> endReason = Optional.empty();

    private boolean closed;
    private long lastPacketAt = NEVER;

    /** Number of idle periods so far inside of the current message. */
    private int idlePeriods;

    DcResponder(QpParts parts) {
        settings = parts.settings();
        session = parts.plan().served();
        header = new DcEth(
                session.flags(), session.id(), session.channel(), parts.plan().number());
        inner = Rc.target(parts);
    }

    /** Returns the requester half, which sends nothing and measures the peer's silence. */
    Initiator watch() {
        return new Watch();
    }

    private final class Watch implements NoInitiator {
        @Override
        public long nextDeadline() {
            return lastPacketAt == NEVER ? NEVER : lastPacketAt + session.idleNanos();
        }

        // rule dc-reclaim
        /** Ends the session of a silent peer; while the responder itself waits, the peer has reason to be silent. */
        @Override
        public void timeout(Turn turn) {
            if (turn.now() < nextDeadline()) {
                return;
            }
            if (waits() || inner.isInsideOfMessage() && idlePeriods++ < MAX_IDLE_PERIODS) {
                lastPacketAt = turn.now();
            } else {
                ends(StateReason.SESSION_IDLE);
            }
        }
    }

    // rule dc-reclaim
    @Override
    public void yields() {
        if (!waits() && !inner.isInsideOfMessage() && !inner.rnrSent() && endReason.isEmpty()) {
            ends(StateReason.SESSION_IDLE);
        }
    }

    /** True if a request is suspended or a response is owed. */
    private boolean waits() {
        return inner.packetsHeld() > 0 || inner.pendingResponses() > 0;
    }

    private void ends(StateReason reason) {
        endReason = Optional.of(reason);
        lastPacketAt = NEVER;
    }

    @Override
    public void connect(Headers peer) {
        headers = peer.withLeading(List.of(header));
        inner.connect(headers);
    }

    @Override
    public Optional<Headers> peer() {
        return inner.peer();
    }

    @Override
    public void start() {
        inner.start();
    }

    @Override
    public boolean isConnected() {
        return false;
    }

    // rules dc-session, dc-version
    @Override
    public Optional<Reason> refusal(Packet packet, Turn turn) {
        DcEth from = packet.dcEth();
        if (from.version() != header.version()) {
            return Optional.of(new PacketMismatch.DcVersion(from.version(), header.version()));
        }
        if (from.sender() != settings.destinationQp) {
            return Optional.of(new PacketMismatch.NoSession(from.sender()));
        }
        Optional<Reason> mismatch = inner.refusal(packet, turn);
        boolean connects = packet.operation() == Operation.CONNECT;
        return mismatch.isPresent() || connects || from.sessionId() == session.id() ? mismatch : ofNone(from);
    }

    // rule dc-handshake
    @MutationPoint("dc-responder.of-none")
    private Optional<Reason> ofNone(DcEth from) {
        if (from.sessionId() != 0) {
            return Optional.of(new PacketMismatch.OtherSession(from.sessionId(), session.id()));
        }
        return header.asksForFullHandshake() ? Optional.of(new PacketMismatch.Speculative()) : Optional.empty();
    }

    @Override
    public void request(Packet packet, Turn turn) {
        lastPacketAt = endReason.isPresent() ? NEVER : turn.now();
        idlePeriods = 0;
        if (packet.operation() == Operation.CONNECT) {
            connected(packet, turn);
        } else if (packet.operation() == Operation.DISCONNECT) {
            disconnected(packet, turn);
        } else {
            inner.request(packet, turn);
        }
    }

    @Override
    public boolean isDoneWith(Packet request) {
        return endReason.isEmpty() && inner.isDoneWith(request);
    }

    // rules dc-duplicate-connect, dc-replaced
    @MutationPoint("dc-responder.connected")
    private void connected(Packet packet, Turn turn) {
        ExtendedHeader.DcConnectEth connect = packet.dcConnectEth();
        int ahead = Psn.compare(connect.nextPsn(), inner.expectedPsn());
        boolean same = connect.reconnect() ? ahead <= 0 : connect.nextPsn() == settings.receivePsn;
        if (same) {
            pendingAck = OptionalInt.of(packet.psn());
        } else if (ahead >= 0) {
            ends(StateReason.SESSION_REPLACED);
        } else {
            turn.discarded(packet, Ignored.Plainly.OF_ANOTHER_SESSION);
        }
    }

    // rule dc-disconnect
    private void disconnected(Packet packet, Turn turn) {
        if (packet.psn() == inner.expectedPsn() && packet.dcEth().sessionId() == session.id()) {
            pendingAck = OptionalInt.of(packet.psn());
            ends(StateReason.SESSION_ENDED);
        } else {
            turn.discarded(packet, Ignored.Plainly.OF_ANOTHER_SESSION);
        }
    }

    @Override
    public int transmit(int budget, Turn turn) {
        if (headers == null || budget == 0) {
            return 0;
        }
        int sent = 0;
        if (pendingAck.isPresent()) {
            turn.send(headers.acknowledgement(pendingAck.getAsInt(), Syndrome.ACK, 0), turn.input());
            pendingAck = OptionalInt.empty();
            sent = 1;
        }
        return sent + inner.transmit(budget - sent, turn);
    }

    @Override
    public SideStatus settle(Turn turn) {
        SideStatus status = inner.settle(turn);
        if (endReason.isEmpty() || pendingAck.isPresent()) {
            return status;
        }
        if (headers != null && !closed) {
            closed = true;
            turn.session(SessionStep.CLOSED, headers.peer(), settings.destinationQp, session.id());
        }
        return SideStatus.FAILED;
    }

    @Override
    public Reason whyFailed() {
        return endReason.<Reason>map(reason -> reason).orElseGet(inner::whyFailed);
    }

    @Override
    public void resume(Turn turn) {
        inner.resume(turn);
    }

    @Override
    public void invalidated(long ticket, Optional<Denial> refusal, Turn turn) {
        inner.invalidated(ticket, refusal, turn);
    }

    @Override
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        inner.pagesServed(kind, ticket, refusal, turn);
    }

    @Override
    public void failReceive(Turn turn) {
        inner.failReceive(turn);
    }

    @Override
    public int pendingResponses() {
        return inner.pendingResponses() + (pendingAck.isPresent() ? 1 : 0);
    }

    @Override
    public int packetsHeld() {
        return inner.packetsHeld();
    }

    @Override
    public int expectedPsn() {
        return inner.expectedPsn();
    }

    @Override
    public void quiesce() {
        lastPacketAt = NEVER;
        pendingAck = OptionalInt.empty();
        inner.quiesce();
    }
}
