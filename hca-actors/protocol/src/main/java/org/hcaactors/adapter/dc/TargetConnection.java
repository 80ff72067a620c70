// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.PacketMismatch;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.work.Destination.Dynamic;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.PsnWindow;
import org.hcaactors.adapter.work.QpParts;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.api.capability.Quirk;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.TransportClass;
import org.jspecify.annotations.Nullable;

/** An initiator's connection to a target: session number, CONNECT and DISCONNECT, and packet headers (rule wire-dc-header). */
final class TargetConnection {
    private final QpSettings settings;
    private final int number;
    private final int channel;
    private final int version;
    private final boolean migReq;

    private @Nullable Dynamic to;
    private @Nullable Headers path;
    private @Nullable Headers headers;
    private int session;
    private boolean again;
    private int connectPsn;
    private OptionalInt disconnectPsn = OptionalInt.empty();

    /** Target and number of the session that was left last. */
    private @Nullable Dynamic former;

    private int formerSession;

    TargetConnection(QpParts parts, int channel) {
        this.channel = channel;
        settings = parts.settings();
        number = parts.plan().number();
        version = parts.profile().dynamicallyConnected().version();
        migReq = parts.profile().has(Quirk.SETS_MIG_REQ);
    }

    /** Selects another target; its session is not known yet. */
    void setTarget(Dynamic target) {
        disconnectPsn = OptionalInt.empty();
        to = target;
        path = Headers.along(settings, target.path(), target.target(), migReq, TransportClass.DC);
        again = false;
        opened(0);
    }

    /** Takes the session number assigned by the target. */
    void opened(int number) {
        session = number;
        headers = sessionHeaders(number);
    }

    /** Marks the next CONNECT as a repeated one. */
    void repeatConnect() {
        again = true;
    }

    // rule dc-session
    /** Ends the session; its late packets will not be taken for the next session's. */
    void endSession() {
        former = to;
        formerSession = session;
    }

    /** True if the answer belongs to the session that was left last. */
    boolean isOfFormer(Packet answer) {
        return former != null
                && formerSession != 0
                && answer.dcEth().sessionId() == formerSession
                && former.target() == target()
                && former.path().route().destination().equals(at());
    }

    boolean again() {
        return again;
    }

    Dynamic to() {
        return required(to);
    }

    int target() {
        return required(to).target();
    }

    PortAddress at() {
        return required(to).path().route().destination();
    }

    /** Session number; 0 while unknown. */
    int session() {
        return session;
    }

    Headers headers() {
        return required(headers);
    }

    /** PSN of the last CONNECT; no request has it. */
    int connectPsn() {
        return connectPsn;
    }

    private Headers sessionHeaders(int number) {
        return required(path).withLeading(List.of(new ExtendedHeader.DcEth(version, number, channel, this.number)));
    }

    // rules wire-dc-connect, dc-reconnect
    /**
     * Returns a CONNECT. The packets behind it carry no session number, since the former session may no longer exist.
     *
     * @param firstPsn PSN of the first packet behind it
     */
    Packet connect(int firstPsn) {
        connectPsn = Psn.plus(firstPsn, -1);
        List<ExtendedHeader> asks = List.of(new ExtendedHeader.DcConnectEth(
                again, 0, firstPsn, 0, required(to).accessKey()));
        headers = sessionHeaders(0);
        return sessionHeaders(session).packet(Operation.CONNECT, connectPsn, true, false, asks, Octets.NONE);
    }

    // rule dc-disconnect
    /**
     * Returns a DISCONNECT. It has a PSN of its own, the same one in each repetition, so that a late answer to it is never
     * taken for an answer to a request.
     */
    Packet disconnect(PsnWindow psns) {
        int psn = disconnectPsn.isPresent() ? disconnectPsn.getAsInt() : psns.take();
        disconnectPsn = OptionalInt.of(psn);
        return headers().packet(Operation.DISCONNECT, psn, true, true, List.of(), Octets.NONE);
    }

    boolean isAnswerToDisconnect(Packet packet) {
        return packet.operation() == Operation.ACKNOWLEDGE
                && disconnectPsn.equals(OptionalInt.of(packet.psn()))
                && packet.dcEth().sessionId() == session;
    }

    /** Returns why an answer is not from the connected target; empty if it is. */
    Optional<Reason> refusal(Packet packet) {
        ExtendedHeader.DcEth from = packet.dcEth();
        if (from.version() != version) {
            return Optional.of(new PacketMismatch.DcVersion(from.version(), version));
        }
        if (to == null) {
            return Optional.of(PacketMismatch.OneWay.NO_REQUESTER);
        }
        return from.sender() == to.target()
                ? Optional.empty()
                : Optional.of(new PacketMismatch.NotTheTarget(from.sender(), to.target()));
    }

    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the initiator was never connected to a target");
        }
        return value;
    }
}
