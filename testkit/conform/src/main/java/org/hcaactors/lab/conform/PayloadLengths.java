// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.List;
import org.hcaactors.api.address.PathMtu;

/**
 * Lengths of payloads, which determine the path MTU.
 *
 * @param longest of all
 * @param full of packets that do not end their message and are therefore full; 0 if there is none
 */
record PayloadLengths(int longest, int full) {
    static final PayloadLengths NONE = new PayloadLengths(0, 0);

    static PayloadLengths of(List<CapturedPacket> packets, List<SkippedPacket> skipped) {
        int longest = 0;
        int full = 0;
        for (CapturedPacket packet : packets) {
            if (packet.isIntact()) {
                int bytes = packet.packet().payload().length();
                longest = Math.max(longest, bytes);
                full = packet.operation().ends() ? full : Math.max(full, bytes);
            }
        }
        for (SkippedPacket packet : skipped) {
            longest = Math.max(longest, packet.payloadBytes());
            full = packet.bth().opcode().operation().ends() ? full : Math.max(full, packet.payloadBytes());
        }
        return new PayloadLengths(longest, full);
    }

    PayloadLengths plus(PayloadLengths other) {
        return new PayloadLengths(Math.max(longest, other.longest), Math.max(full, other.full));
    }

    /** Returns the smallest MTU that fits every payload; at least 1024 if no packet is full. */
    PathMtu mtu() {
        int bytes = Math.max(longest, full == 0 ? PathMtu.BYTES_1024.bytes() : full);
        for (PathMtu mtu : PathMtu.values()) {
            if (mtu.bytes() >= bytes) {
                return mtu;
            }
        }
        return PathMtu.BYTES_4096;
    }
}
