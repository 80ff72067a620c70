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
 * A frame that nobody sent, as a port reads it.
 *
 * @param packet what it says, or, if it says nothing, the packet beside which it came in
 * @param arrival what becomes of it where it is addressed to; empty if it has no address or is no packet
 * @param flaw why it has no effect, in words; empty if it is as good as any
 */
record ForgedFrame(Packet packet, Optional<Arrival> arrival, String flaw) {
    static ForgedFrame read(Octets frame, Packet beside) {
        return switch (FrameDecoder.decode(frame.toArray(), LinkLayer.ETHERNET)) {
            case Decoded.Frame(var read)
            when read.icrcOk() -> new ForgedFrame(read.packet(), Optional.of(Arrival.WHOLE), "");
            case Decoded.Frame(var read) ->
                new ForgedFrame(
                        read.packet(),
                        Optional.of(new Arrival.Damaged(frame, "forged so", Optional.empty())),
                        "wrong ICRC");
            // A port is given whole frames: what is missing of one is malformed.
            case Decoded.Cut cut ->
                new ForgedFrame(
                        beside,
                        Optional.empty(),
                        "malformed: it lacks " + cut.frame().missing());
            case Decoded.Malformed bad -> new ForgedFrame(beside, Optional.empty(), "malformed: " + bad.detail());
            case Decoded.NotRoce other -> new ForgedFrame(beside, Optional.empty(), "no RoCEv2: " + other.what());
        };
    }
}
