// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import java.util.Optional;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.TransportClass;

/** Reasons why a packet is not for the queue pair that it arrived at. */
public sealed interface PacketMismatch extends Reason {
    record TransportVersion(int version) implements PacketMismatch {}

    record ForeignClass(Opcode opcode, TransportClass own) implements PacketMismatch {}

    record WrongState(QpState state) implements PacketMismatch {}

    /** A response in a state in which no request may have been sent. */
    record ResponseInState(QpState state) implements PacketMismatch {}

    record Pkey(int pkey, int own) implements PacketMismatch {}

    record Qkey(int qkey, int own) implements PacketMismatch {}

    /** The queue pair lacks the requester or responder that the packet is for. */
    enum OneWay implements PacketMismatch {
        /** A response, but the queue pair has no requester. */
        NO_REQUESTER,
        /** A request, but the queue pair has no responder. */
        NO_RESPONDER
    }

    /** The sender has no open session. */
    record NoSession(int initiator) implements PacketMismatch {}

    /** The packet belongs to a session that is over. */
    record OtherSession(int session, int own) implements PacketMismatch {}

    /** The packet was sent before the session was known, and the target demands a full handshake. */
    record Speculative() implements PacketMismatch {}

    /** The packet has the other version of the DC transport. */
    record DcVersion(int version, int own) implements PacketMismatch {}

    /** The packet's source is not the target that the initiator is connected to. */
    record NotTheTarget(int target, int connected) implements PacketMismatch {}

    record NotThePeer(PortAddress source) implements PacketMismatch {}

    // rule qp-packet-filter
    /** Returns a reason if the packet has another transport version or class; does not look at the rest. */
    static Optional<Reason> ofAnother(Packet packet, TransportClass own) {
        int version = packet.bth().transportVersion();
        Opcode opcode = packet.opcode();
        if (version != 0) {
            return Optional.of(new TransportVersion(version));
        }
        return opcode.transport() == own ? Optional.empty() : Optional.of(new ForeignClass(opcode, own));
    }
}
