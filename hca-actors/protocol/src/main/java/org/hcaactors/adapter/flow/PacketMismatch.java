// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.flow;

import java.util.Optional;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.TransportClass;

/** Why a packet is not for the queue pair that it came to. */
public sealed interface PacketMismatch extends Reason {
    record TransportVersion(int version) implements PacketMismatch {}

    record ForeignClass(Opcode opcode, TransportClass own) implements PacketMismatch {}

    record WrongState(QpState state) implements PacketMismatch {}

    /** A response before anything may have been sent. */
    record ResponseInState(QpState state) implements PacketMismatch {}

    record Pkey(int pkey, int own) implements PacketMismatch {}

    record Qkey(int qkey, int own) implements PacketMismatch {}

    /** The queue pair has not the half that it is for. */
    enum OneWay implements PacketMismatch {
        /** A response, and nothing was asked for. */
        NO_REQUESTER,
        /** A request. */
        NO_RESPONDER
    }

    /** No session of its sender's is open. */
    record NoSession(int initiator) implements PacketMismatch {}

    /** It is of a session that is over. */
    record OtherSession(int session, int own) implements PacketMismatch {}

    /** It was sent before the session was known, and the target takes no such thing. */
    record Speculative() implements PacketMismatch {}

    /** The other generation of the transport. */
    record DcVersion(int version, int own) implements PacketMismatch {}

    /** It comes from another target than the one that is connected to. */
    record NotTheTarget(int target, int connected) implements PacketMismatch {}

    record NotThePeer(PortAddress source) implements PacketMismatch {}

    // rule qp-packet-filter
    /** Of another transport version or class, whatever is behind that. */
    static Optional<Reason> ofAnother(Packet packet, TransportClass own) {
        int version = packet.bth().transportVersion();
        Opcode opcode = packet.opcode();
        if (version != 0) {
            return Optional.of(new TransportVersion(version));
        }
        return opcode.transport() == own ? Optional.empty() : Optional.of(new ForeignClass(opcode, own));
    }
}
