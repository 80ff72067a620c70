// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.util.List;
import java.util.Optional;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.fabric.capture.DecodedFrame;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.ExtendedHeader.Reth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.CutFrame;
import org.hcaactors.fabric.wire.RoceFrame;
import org.hcaactors.views.flow.Wording;

/**
 * A packet that passed the point of capture, once or at several interfaces.
 *
 * @param first where it was seen first
 * @param again where else, in order
 * @param extended those headers that are whole
 * @param payloadBytes on the wire
 * @param packet empty where headers are cut off, or claim more than a packet carries; a payload that is not whole is zeros
 * @param missing what is cut off; empty if nothing is
 * @param hasBadIcrc it was checked, and is wrong
 */
record SightedPacket(
        DecodedFrame first,
        List<DecodedFrame> again,
        Route route,
        Bth bth,
        List<ExtendedHeader> extended,
        int payloadBytes,
        Optional<Packet> packet,
        String missing,
        boolean hasBadIcrc) {
    private static final int MAX_PAYLOAD_BYTES = PathMtu.BYTES_4096.bytes();

    /** In place of payloads that were cut off: what headers claim is not allocated. */
    private static final Octets ZEROS = Octets.copyOf(new byte[MAX_PAYLOAD_BYTES]);

    static SightedPacket of(DecodedFrame seen, RoceFrame frame, List<DecodedFrame> again) {
        Packet packet = frame.packet();
        return new SightedPacket(
                seen,
                again,
                packet.route(),
                packet.bth(),
                packet.extended(),
                packet.payload().length(),
                Optional.of(packet),
                "",
                !frame.icrcOk());
    }

    static SightedPacket of(DecodedFrame seen, CutFrame cut, List<DecodedFrame> again) {
        int claimed = cut.payloadBytes();
        boolean isWhole = cut.payload().length() == claimed;
        Optional<Packet> packet = cut.packet()
                .filter(part -> isWhole || claimed <= MAX_PAYLOAD_BYTES)
                .map(part -> isWhole ? part : part.withPayload(ZEROS.slice(0, claimed)));
        return new SightedPacket(
                seen, again, cut.route(), cut.bth(), cut.extended(), claimed, packet, cut.missing(), false);
    }

    int frame() {
        return first.number();
    }

    long nanos() {
        return first.sinceFirst();
    }

    TransportClass transport() {
        return bth.opcode().transport();
    }

    Operation operation() {
        return bth.opcode().operation();
    }

    int psn() {
        return bth.psn();
    }

    Optional<Aeth> aeth() {
        return header(Aeth.class);
    }

    Optional<Reth> reth() {
        return header(Reth.class);
    }

    private <H extends ExtendedHeader> Optional<H> header(Class<H> kind) {
        return extended.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    String wording() {
        return packet.map(Wording::of).orElseGet(() -> operation().name() + " psn " + psn());
    }

    /** Whether what was cut off leaves its headers. */
    boolean isCut() {
        return !missing.isEmpty();
    }
}
