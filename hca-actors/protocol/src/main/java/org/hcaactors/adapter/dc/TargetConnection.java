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

/** An initiator's way to the target that it is connected to, or wants to be: the headers of its packets (rule wire-dc-header). */
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

    /** Whose session it left last, and the number of that. */
    private @Nullable Dynamic former;

    private int formerSession;

    TargetConnection(QpParts parts, int channel) {
        this.channel = channel;
        settings = parts.settings();
        number = parts.plan().number();
        version = parts.profile().dynamicallyConnected().version();
        migReq = parts.profile().has(Quirk.SETS_MIG_REQ);
    }

    /** Another target, of which nothing is known yet. */
    void meet(Dynamic target) {
        disconnectPsn = OptionalInt.empty();
        to = target;
        path = Headers.along(settings, target.path(), target.target(), migReq, TransportClass.DC);
        again = false;
        opened(0);
    }

    /** The target gave the session that number. */
    void opened(int number) {
        session = number;
        headers = xrcAttributes(number);
    }

    /** A CONNECT is to be sent that may not be the first. */
    void ask() {
        again = true;
    }

    // rule dc-session
    /** The session is over: what is late of it is not taken for the next one's. */
    void left() {
        former = to;
        formerSession = session;
    }

    /** That answer is of the session that it left last. */
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
        return there(to);
    }

    int target() {
        return there(to).target();
    }

    PortAddress at() {
        return there(to).path().route().destination();
    }

    /** 0 while it is not known. */
    int session() {
        return session;
    }

    Headers headers() {
        return there(headers);
    }

    /** Of the last CONNECT: no data has it. */
    int connectPsn() {
        return connectPsn;
    }

    private Headers xrcAttributes(int number) {
        return there(path).withLeading(List.of(new ExtendedHeader.DcEth(version, number, channel, this.number)));
    }

    // rules wire-dc-connect, dc-reconnect
    /**
     * What is sent behind it names no session: the one that there was may be no more.
     *
     * @param firstPsn of what is sent behind it
     */
    Packet connect(int firstPsn) {
        connectPsn = Psn.plus(firstPsn, -1);
        List<ExtendedHeader> asks = List.of(
                new ExtendedHeader.DcConnectEth(again, 0, firstPsn, 0, there(to).accessKey()));
        headers = xrcAttributes(0);
        return xrcAttributes(session).packet(Operation.CONNECT, connectPsn, true, false, asks, Octets.NONE);
    }

    // rule dc-disconnect
    /** It has a PSN of its own, and the same one whenever it is sent: what answers it, however late, is no answer to a request. */
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

    /** Why an answer is not of the target that is connected to; empty if it is. */
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

    private static <T> T there(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("it was never connected");
        }
        return value;
    }
}
