// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;

/**
 * A packet that the capture truncated. Its ICRC is not checked because it covers bytes that are missing.
 *
 * @param bth complete
 * @param extended the headers that are complete, in wire order
 * @param payload the captured part
 * @param payloadBytes length of the payload on the wire
 */
public record TruncatedFrame(
        IpHeader ip, Route route, Bth bth, List<ExtendedHeader> extended, Octets payload, int payloadBytes) {
    public TruncatedFrame {
        extended = List.copyOf(extended);
    }

    /** Returns the packet with the captured part of its payload; empty if a header is incomplete. */
    public Optional<Packet> packet() {
        return extended.size() == bth.opcode().extended().size()
                ? Optional.of(new Packet(route, bth, extended, payload))
                : Optional.empty();
    }

    /** Returns the missing parts: {@code RETH, 64 of 64 bytes of payload, ICRC}. */
    public String missing() {
        List<HeaderKind> kinds = bth.opcode().extended();
        List<String> parts = kinds.subList(extended.size(), kinds.size()).stream()
                .map(HeaderKind::name)
                .collect(Collectors.toCollection(ArrayList::new));
        int lacking = payloadBytes - payload.length();
        if (lacking > 0) {
            parts.add(lacking + " of " + payloadBytes + " bytes of payload");
        }
        parts.add("ICRC");
        return String.join(", ", parts);
    }
}
