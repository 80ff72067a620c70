// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.List;
import org.hcaactors.api.address.PathMtu;

/**
 * How long payloads are, as far as that tells the path MTU.
 *
 * @param longest of all
 * @param full of those that do not end their message, which are full; 0 if there is none
 */
record PayloadLengths(int longest, int full) {
    static final PayloadLengths NONE = new PayloadLengths(0, 0);

    static PayloadLengths of(List<CapturedPacket> packets, List<SkippedPacket> unplayed) {
        int longest = 0;
        int full = 0;
        for (CapturedPacket heard : packets) {
            if (heard.isIntact()) {
                int bytes = heard.packet().payload().length();
                longest = Math.max(longest, bytes);
                full = heard.operation().ends() ? full : Math.max(full, bytes);
            }
        }
        for (SkippedPacket packet : unplayed) {
            longest = Math.max(longest, packet.payloadBytes());
            full = packet.bth().opcode().operation().ends() ? full : Math.max(full, packet.payloadBytes());
        }
        return new PayloadLengths(longest, full);
    }

    PayloadLengths plus(PayloadLengths other) {
        return new PayloadLengths(Math.max(longest, other.longest), Math.max(full, other.full));
    }

    /** The smallest into which every payload fits; 1024 at least where none is full. */
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
