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
 * A packet that was cut short by who captured it. Its ICRC is not checked: it covers what is not there.
 *
 * @param bth whole
 * @param extended those headers that are whole, in wire order
 * @param payload as far as it is there
 * @param payloadBytes of it on the wire
 */
public record CutFrame(
        IpHeader ip, Route route, Bth bth, List<ExtendedHeader> extended, Octets payload, int payloadBytes) {
    public CutFrame {
        extended = List.copyOf(extended);
    }

    /** With as much payload as is there; empty if a header is not whole. */
    public Optional<Packet> packet() {
        return extended.size() == bth.opcode().extended().size()
                ? Optional.of(new Packet(route, bth, extended, payload))
                : Optional.empty();
    }

    /** {@code RETH, 64 of 64 bytes of payload, ICRC}. */
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
