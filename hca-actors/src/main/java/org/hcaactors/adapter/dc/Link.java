// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.Stray;
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
final class Link {
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

    /** Number of the session that was left last, if it was one with that target. */
    private int over;

    Link(QpParts parts, int channel) {
        this.channel = channel;
        settings = parts.settings();
        number = parts.plan().number();
        version = parts.profile().dynamicallyConnected().version();
        migReq = parts.profile().has(Quirk.SETS_MIG_REQ);
    }

    /** Another target, of which nothing is known yet. */
    void meet(Dynamic target) {
        over = to != null && to.isSame(target) ? over : 0;
        disconnectPsn = OptionalInt.empty();
        to = target;
        path = Headers.along(settings, target.path(), target.target(), migReq, TransportClass.DC);
        again = false;
        opened(0);
    }

    /** The target gave the session that number. */
    void opened(int number) {
        session = number;
        headers = there(path).ledBy(List.of(eth()));
    }

    /** A CONNECT is to be sent that may not be the first. */
    void ask() {
        again = true;
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

    private ExtendedHeader.DcEth eth() {
        return new ExtendedHeader.DcEth(version, session, channel, number);
    }

    // rule wire-dc-connect
    /** @param firstPsn of what is sent behind it */
    Packet connect(int firstPsn) {
        connectPsn = Psn.plus(firstPsn, -1);
        List<ExtendedHeader> asks =
                List.of(new ExtendedHeader.DcConnectEth(again, 0, firstPsn, 0, there(to).accessKey()));
        return headers().packet(Operation.CONNECT, connectPsn, true, false, asks, Octets.NONE);
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

    /** The session has ended, as far as the initiator knows. */
    void parted() {
        over = session;
    }

    /** It is of a session that has ended. */
    boolean isLate(Packet packet) {
        return over != 0 && packet.dcEth().sessionId() == over;
    }

    /** Why an answer is not of the target that is connected to; empty if it is. */
    Optional<Reason> refusal(Packet packet) {
        ExtendedHeader.DcEth from = packet.dcEth();
        if (from.version() != version) {
            return Optional.of(new Stray.DcVersion(from.version(), version));
        }
        if (to == null) {
            return Optional.of(Stray.OneWay.ASKS_FOR_NOTHING);
        }
        return from.sender() == to.target()
                ? Optional.empty()
                : Optional.of(new Stray.NotTheTarget(from.sender(), to.target()));
    }

    private static <T> T there(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("it was never connected");
        }
        return value;
    }
}
