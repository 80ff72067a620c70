// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.Optional;
import org.hcaactors.fabric.link.PacketsInFlight.Arrival;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.Decoded;
import org.hcaactors.fabric.wire.FrameDecoder;
import org.hcaactors.fabric.wire.LinkLayer;

/**
 * A forged frame as a port decodes it.
 *
 * @param packet contents of the frame; if it cannot be decoded, the packet next to which it entered
 * @param arrival how it arrives at its destination; empty if it has none or is not a packet
 * @param flaw why it has no effect, as text; empty if it is a valid packet
 */
record ForgedFrame(Packet packet, Optional<Arrival> arrival, String flaw) {
    static ForgedFrame read(Octets frame, Packet beside) {
        return switch (FrameDecoder.decode(frame.toArray(), LinkLayer.ETHERNET)) {
            case Decoded.Frame(var read)
            when read.icrcOk() -> new ForgedFrame(read.packet(), Optional.of(Arrival.WHOLE), "");
            case Decoded.Frame(var read) ->
                new ForgedFrame(
                        read.packet(),
                        Optional.of(new Arrival.Damaged(frame, "forged with a wrong ICRC", Optional.empty())),
                        "wrong ICRC");
            // A port receives whole frames: a frame with missing bytes is malformed.
            case Decoded.Truncated cut ->
                new ForgedFrame(
                        beside,
                        Optional.empty(),
                        "malformed: it lacks " + cut.frame().missing());
            case Decoded.Malformed bad -> new ForgedFrame(beside, Optional.empty(), "malformed: " + bad.detail());
            case Decoded.NotRoce other -> new ForgedFrame(beside, Optional.empty(), "not RoCEv2: " + other.what());
        };
    }
}
