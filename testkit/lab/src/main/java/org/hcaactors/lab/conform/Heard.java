package org.hcaactors.lab.conform;

import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.IpHeader;
import org.hcaactors.fabric.wire.RoceFrame;

/**
 * A packet of a capture.
 *
 * @param frame its 1-based number in the file
 * @param nanos since the first frame
 */
record Heard(int frame, long nanos, RoceFrame wire) {
    Packet packet() {
        return wire.packet();
    }

    int psn() {
        return wire.packet().psn();
    }

    boolean isIntact() {
        return wire.icrcOk();
    }

    boolean isResponse() {
        return packet().operation().isResponse();
    }

    /**
     * The wire, not its sender, made the other one from it: even the IP identification is the same. One of 0 says nothing,
     * since a sender that forbids fragments need not number its packets (RFC 6864), and IPv6 has none.
     */
    boolean isCopyOf(Heard other) {
        return wire.ip() instanceof IpHeader.Ipv4 mine
                && other.wire.ip() instanceof IpHeader.Ipv4 theirs
                && mine.identification() != 0
                && mine.identification() == theirs.identification()
                && packet().equals(other.packet());
    }
}
