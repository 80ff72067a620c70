// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.Optional;
import org.hcaactors.fabric.capture.PcapngWriter.Direction;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.wire.IpHeader;
import org.hcaactors.fabric.wire.RoceFrame;

/**
 * A packet of a capture.
 *
 * @param frame its 1-based number in the file
 * @param nanos time since the first frame
 * @param port index of the capture's interface
 * @param direction at that interface, if the capture contains it
 */
record CapturedPacket(int frame, long nanos, int port, Optional<Direction> direction, RoceFrame wire) {
    Packet packet() {
        return wire.packet();
    }

    Operation operation() {
        return wire.packet().operation();
    }

    int psn() {
        return wire.packet().psn();
    }

    boolean isIntact() {
        return wire.icrcOk();
    }

    boolean isResponse() {
        return operation().isResponse();
    }

    /** True for a NAK of any kind, including RNR NAK. */
    boolean isRefusal() {
        return operation() == Operation.ACKNOWLEDGE
                && !Syndrome.isAck(packet().aeth().syndrome());
    }

    boolean isSequenceNak() {
        return operation() == Operation.ACKNOWLEDGE && packet().aeth().syndrome() == Syndrome.NAK_PSN_SEQUENCE;
    }

    /** True if the capture says that it crossed its interface in that direction. */
    boolean isOfDirection(Direction way) {
        return direction.filter(known -> known == way).isPresent();
    }

    /**
     * True if the network, not the sender, duplicated the packet: even the IP identification is equal. An identification of 0
     * proves nothing, since senders that forbid fragmentation need not number their packets (RFC 6864), and IPv6 has none.
     */
    boolean isCopyOf(CapturedPacket other) {
        return isNumbered() && identification() == other.identification() && packet().equals(other.packet());
    }

    /** True if the packets are equal and it is unknown whether the sender or the network repeated it. */
    boolean mayBeCopyOf(CapturedPacket other) {
        return !isNumbered() && !other.isNumbered() && packet().equals(other.packet());
    }

    private boolean isNumbered() {
        return identification() != 0;
    }

    private int identification() {
        return wire.ip() instanceof IpHeader.Ipv4 v4 ? v4.identification() : 0;
    }
}
