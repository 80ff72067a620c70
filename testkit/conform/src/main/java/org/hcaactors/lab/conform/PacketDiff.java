// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;

/** Differences between a captured packet and one of the machine, by field. */
final class PacketDiff {
    static final String MSN = "MSN";

    private PacketDiff() {}

    /**
     * Returns the differences in wire order; if only one packet has a header, the difference in the opcode shows it.
     *
     * @param msnOffset captured MSN minus the machine's MSN
     */
    static List<FieldDifference> between(Packet captured, Packet ours, int msnOffset) {
        Map<String, String> mine = fields(ours, msnOffset);
        List<FieldDifference> differences = new ArrayList<>();
        fields(captured, 0).forEach((name, value) -> {
            String other = mine.getOrDefault(name, value);
            if (!value.equals(other)) {
                differences.add(new FieldDifference(name, value, other));
            }
        });
        differingByte(captured.payload().toArray(), ours.payload().toArray()).ifPresent(differences::add);
        return List.copyOf(differences);
    }

    /** Returns the packet with the fewest differences; the first of several. */
    static Optional<Packet> nearest(Packet captured, List<Packet> ours, int msnOffset) {
        return ours.stream()
                .min(Comparator.comparingInt(
                        mine -> between(captured, mine, msnOffset).size()));
    }

    /** Returns the first byte that differs, within the common length. */
    static Optional<FieldDifference> differingByte(byte[] captured, byte[] ours) {
        for (int i = 0; i < Math.min(captured.length, ours.length); i++) {
            if (captured[i] != ours[i]) {
                return Optional.of(new FieldDifference("payload byte " + i, octet(captured[i]), octet(ours[i])));
            }
        }
        return Optional.empty();
    }

    private static String octet(byte value) {
        return "0x%02x".formatted(value & 0xFF);
    }

    private static Map<String, String> fields(Packet packet, int msnOffset) {
        Map<String, String> fields = new LinkedHashMap<>();
        base(packet.bth(), fields);
        for (ExtendedHeader header : packet.extended()) {
            extended(header, msnOffset, fields);
        }
        fields.put("payload length", String.valueOf(packet.payload().length()));
        return fields;
    }

    private static void base(Bth bth, Map<String, String> fields) {
        fields.put("opcode", bth.opcode().name());
        fields.put("solicited", String.valueOf(bth.solicited()));
        fields.put("MigReq", String.valueOf(bth.migReq()));
        fields.put("pad count", String.valueOf(bth.padCount()));
        fields.put("TVer", String.valueOf(bth.transportVersion()));
        fields.put("P_Key", hex(bth.pkey()));
        fields.put("FECN", String.valueOf(bth.fecn()));
        fields.put("BECN", String.valueOf(bth.becn()));
        fields.put("reserved bits next to FECN", hex(bth.reserved6()));
        fields.put("destination QP", String.valueOf(bth.destQp()));
        fields.put("AckReq", String.valueOf(bth.ackReq()));
        fields.put("reserved bits next to AckReq", hex(bth.reserved7()));
        fields.put("PSN", String.valueOf(bth.psn()));
    }

    private static void extended(ExtendedHeader header, int msnOffset, Map<String, String> fields) {
        switch (header) {
            case ExtendedHeader.Reth reth -> {
                fields.put("address", hex(reth.address()));
                fields.put("R_Key", hex(reth.rkey()));
                fields.put("DMA length", String.valueOf(reth.lengthUnsigned()));
            }
            case ExtendedHeader.AtomicEth atomic -> {
                fields.put("address", hex(atomic.address()));
                fields.put("R_Key", hex(atomic.rkey()));
                fields.put("swap or add", hex(atomic.swapOrAdd()));
                fields.put("compare", hex(atomic.compare()));
            }
            case ExtendedHeader.Aeth aeth -> {
                fields.put("syndrome", "0x%02x (%s)".formatted(aeth.syndrome(), Syndrome.describe(aeth.syndrome())));
                fields.put(MSN, String.valueOf(Psn.plus(aeth.msn(), msnOffset)));
            }
            case ExtendedHeader.AtomicAckEth original -> fields.put("original value", hex(original.original()));
            case ExtendedHeader.Deth deth -> {
                fields.put("Q_Key", hex(deth.qkey()));
                fields.put("reserved bits of the DETH", hex(deth.reserved()));
                fields.put("source QP", String.valueOf(deth.sourceQp()));
            }
            case ExtendedHeader.Immediate immediate -> fields.put("immediate", hex(immediate.value()));
            case ExtendedHeader.AtomicSize size ->
                fields.put("bytes of an atomic", String.valueOf(size.operandBytes()));
            case ExtendedHeader.AtomicAddress where -> {
                fields.put("address", hex(where.address()));
                fields.put("R_Key", hex(where.rkey()));
            }
            case ExtendedHeader.XrcEth xrc -> {
                fields.put("reserved bits of the XRCETH", hex(xrc.reserved()));
                fields.put("shared receive queue", String.valueOf(xrc.srqNumber()));
            }
            case ExtendedHeader.DcEth dc -> {
                fields.put("flags of the DCETH", hex(dc.flags()));
                fields.put("session", String.valueOf(dc.sessionId()));
                fields.put("channel", String.valueOf(dc.channel()));
                fields.put("sender", String.valueOf(dc.sender()));
            }
            case ExtendedHeader.DcConnectEth connect -> {
                fields.put("reconnect", String.valueOf(connect.reconnect()));
                fields.put("reverse SL", String.valueOf(connect.reverseSl()));
                fields.put("next PSN", String.valueOf(connect.nextPsn()));
                fields.put("reserved bits of the DCCETH", hex(connect.reserved()));
                fields.put("access key", hex(connect.accessKey()));
            }
            case ExtendedHeader.Ieth ieth -> fields.put("R_Key to invalidate", hex(ieth.rkey()));
        }
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    private static String hex(int value) {
        return "0x" + Integer.toHexString(value);
    }
}
