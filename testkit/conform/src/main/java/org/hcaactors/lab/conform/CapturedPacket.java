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
 * @param nanos since the first frame
 * @param port which of the capture's interfaces it crossed
 * @param direction which way, where the capture says so
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

    /** An answer that refuses: a NAK of any kind, or RNR. */
    boolean isRefusal() {
        return operation() == Operation.ACKNOWLEDGE
                && !Syndrome.isAck(packet().aeth().syndrome());
    }

    boolean isSequenceNak() {
        return operation() == Operation.ACKNOWLEDGE && packet().aeth().syndrome() == Syndrome.NAK_PSN_SEQUENCE;
    }

    /** Whether it crossed its interface that way, as far as the capture says. */
    boolean went(Direction way) {
        return direction.filter(known -> known == way).isPresent();
    }

    /**
     * The wire, not its sender, made the other one from it: even the IP identification is the same. One of 0 says nothing,
     * since a sender that forbids fragments need not number its packets (RFC 6864), and IPv6 has none.
     */
    boolean isCopyOf(CapturedPacket other) {
        return isNumbered() && identification() == other.identification() && packet().equals(other.packet());
    }

    /** The same once more, and nothing tells whether its sender or the wire repeated it. */
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
