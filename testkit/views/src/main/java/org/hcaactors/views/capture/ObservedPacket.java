// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.capture;

import java.util.List;
import java.util.Optional;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.fabric.capture.DecodedFrame;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.ExtendedHeader.Reth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.hcaactors.fabric.wire.RoceFrame;
import org.hcaactors.fabric.wire.TruncatedFrame;
import org.hcaactors.views.flow.Wording;

/**
 * A captured packet, seen at one or several interfaces.
 *
 * @param first the frame in which it was seen first
 * @param repeats the other frames, in order
 * @param extended the extended headers that are complete
 * @param payloadBytes payload length on the wire
 * @param packet empty if headers are cut off, or claim more than a packet carries; an incomplete payload is replaced by zeros
 * @param missing description of what is cut off; empty if nothing is
 * @param hasBadIcrc true if its ICRC was checked and is wrong
 */
record ObservedPacket(
        DecodedFrame first,
        List<DecodedFrame> repeats,
        Route route,
        Bth bth,
        List<ExtendedHeader> extended,
        int payloadBytes,
        Optional<Packet> packet,
        String missing,
        boolean hasBadIcrc) {
    private static final int MAX_PAYLOAD_BYTES = PathMtu.BYTES_4096.bytes();

    /** Replaces payloads that were cut off, so that no memory is allocated for lengths that headers claim. */
    private static final Octets ZEROS = Octets.copyOf(new byte[MAX_PAYLOAD_BYTES]);

    static ObservedPacket of(DecodedFrame seen, RoceFrame frame, List<DecodedFrame> repeats) {
        Packet packet = frame.packet();
        return new ObservedPacket(
                seen,
                repeats,
                packet.route(),
                packet.bth(),
                packet.extended(),
                packet.payload().length(),
                Optional.of(packet),
                "",
                !frame.icrcOk());
    }

    static ObservedPacket of(DecodedFrame seen, TruncatedFrame cut, List<DecodedFrame> repeats) {
        int claimed = cut.payloadBytes();
        boolean isWhole = cut.payload().length() == claimed;
        Optional<Packet> packet = cut.packet()
                .filter(part -> isWhole || claimed <= MAX_PAYLOAD_BYTES)
                .map(part -> isWhole ? part : part.withPayload(ZEROS.slice(0, claimed)));
        return new ObservedPacket(
                seen, repeats, cut.route(), cut.bth(), cut.extended(), claimed, packet, cut.missing(), false);
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

    /** Returns the message of communication management that the packet carries. */
    Optional<CmDatagram> message() {
        return packet.flatMap(CmCodec::decode);
    }

    /** True if a part of the packet was cut off. */
    boolean isCut() {
        return !missing.isEmpty();
    }
}
