// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/** Fields of a packet that a forgery can change (rules wire-bth, wire-headers, wire-route). */
public enum ForgedField {
    /** Any of 256 codes, including unassigned ones. */
    OPCODE(8),
    SOLICITED(1),
    MIG_REQ(1),
    /** Follows from the payload's length unless it is set. */
    PAD(2),
    VERSION(4),
    PKEY(16),
    FECN(1),
    BECN(1),
    /** The reserved bits next to FECN and BECN. */
    RESERVED6(6),
    /** The destination queue pair. */
    QP(24),
    ACK_REQ(1),
    /** The reserved bits next to A. */
    RESERVED7(7),
    PSN(24),
    /** Virtual address of a WRITE, a READ or an atomic. */
    ADDRESS(64),
    RKEY(32),
    /** DMA length of a RETH. */
    LENGTH(32),
    SYNDROME(8),
    MSN(24),
    SWAP_OR_ADD(64),
    COMPARE(64),
    /** The original value in the response to an atomic. */
    ORIGINAL(64),
    QKEY(32),
    SOURCE_QP(24),
    IMMEDIATE(32),
    /** The key in a SEND with invalidate. */
    INVALIDATED(32),
    /** Log2 of the bytes of a masked atomic's value. */
    ATOMIC_SIZE(8),
    /** The shared receive queue of an XRC request (rule wire-xrc-header). */
    XRC_SRQ(24),
    /** Flags of the DCETH: the version, and the full handshake (rule wire-dc-header). */
    DC_FLAGS(8),
    /** DC session id, chosen by the target; 0 for none. */
    SESSION(24),
    /** Stream channel of a DC initiator. */
    CHANNEL(8),
    /** The DC initiator or target that sent the packet. */
    SENDER(24),
    /** Reconnect bit of a CONNECT; the following three are also fields of a CONNECT (rule wire-dc-connect). */
    RECONNECT(1),
    REVERSE_SL(4),
    NEXT_PSN(24),
    ACCESS_KEY(64),
    /** Length of the payload; added bytes are 0xEE. */
    PAYLOAD(14),
    /** The low bits of the source IP address. */
    SOURCE(32),
    TRAFFIC_CLASS(8),
    HOP_LIMIT(8);

    private final int bits;

    ForgedField(int bits) {
        this.bits = bits;
    }

    /** Returns the value truncated to the bits of the field. */
    long cut(long value) {
        return bits == Long.SIZE ? value : value & (1L << bits) - 1;
    }

    /** Returns the largest value; -1, unsigned, for a field of 64 bits. */
    long max() {
        return cut(-1);
    }

    /** Returns the name in plans: {@code ack-req}. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the value as text: {@code RC_ACKNOWLEDGE}, {@code 0x62}, {@code 17}. */
    String words(long value) {
        return switch (this) {
            case OPCODE -> opcode((int) value).orElseGet(() -> "0x%02x".formatted(value));
            case SYNDROME, PKEY, RKEY, QKEY, ADDRESS, INVALIDATED, DC_FLAGS, ACCESS_KEY ->
                "0x" + Long.toHexString(value);
            default -> Long.toString(value);
        };
    }

    /** Returns the name of a code; empty for the code whose meaning depends on the solicited bit. */
    private static Optional<String> opcode(int code) {
        return Opcode.isShared(code)
                ? Opcode.of(TransportClass.RC, code)
                        .map(opcode -> opcode.operation().name())
                : Opcode.of(code)
                        .filter(opcode -> !opcode.isSelectedBySolicited())
                        .map(Opcode::name);
    }

    /** Returns the values of the packet's fields, without {@link #PAD}, which follows from the payload. */
    static Map<ForgedField, Long> of(Packet packet) {
        Map<ForgedField, Long> values = new EnumMap<>(ForgedField.class);
        Bth bth = packet.bth();
        values.put(OPCODE, (long) bth.opcode().code());
        values.put(SOLICITED, bth.solicited() ? 1L : 0);
        values.put(MIG_REQ, bth.migReq() ? 1L : 0);
        values.put(VERSION, (long) bth.transportVersion());
        values.put(PKEY, (long) bth.pkey());
        values.put(FECN, bth.fecn() ? 1L : 0);
        values.put(BECN, bth.becn() ? 1L : 0);
        values.put(RESERVED6, (long) bth.reserved6());
        values.put(QP, (long) bth.destQp());
        values.put(ACK_REQ, bth.ackReq() ? 1L : 0);
        values.put(RESERVED7, (long) bth.reserved7());
        values.put(PSN, (long) bth.psn());
        values.put(PAYLOAD, (long) packet.payload().length());
        values.put(SOURCE, SOURCE.cut(packet.route().source().low()));
        values.put(TRAFFIC_CLASS, (long) packet.route().trafficClass());
        values.put(HOP_LIMIT, (long) packet.route().hopLimit());
        packet.extended().forEach(header -> put(header, values));
        return values;
    }

    private static void put(ExtendedHeader header, Map<ForgedField, Long> values) {
        switch (header) {
            case ExtendedHeader.Reth h -> {
                values.put(ADDRESS, h.address());
                values.put(RKEY, Integer.toUnsignedLong(h.rkey()));
                values.put(LENGTH, h.lengthUnsigned());
            }
            case ExtendedHeader.AtomicEth h -> {
                values.put(ADDRESS, h.address());
                values.put(RKEY, Integer.toUnsignedLong(h.rkey()));
                values.put(SWAP_OR_ADD, h.swapOrAdd());
                values.put(COMPARE, h.compare());
            }
            case ExtendedHeader.Aeth h -> {
                values.put(SYNDROME, (long) h.syndrome());
                values.put(MSN, (long) h.msn());
            }
            case ExtendedHeader.AtomicAckEth h -> values.put(ORIGINAL, h.original());
            case ExtendedHeader.Deth h -> {
                values.put(QKEY, Integer.toUnsignedLong(h.qkey()));
                values.put(SOURCE_QP, (long) h.sourceQp());
            }
            case ExtendedHeader.Immediate h -> values.put(IMMEDIATE, Integer.toUnsignedLong(h.value()));
            case ExtendedHeader.AtomicSize h -> values.put(ATOMIC_SIZE, (long) h.logBytes());
            case ExtendedHeader.AtomicAddress h -> {
                values.put(ADDRESS, h.address());
                values.put(RKEY, Integer.toUnsignedLong(h.rkey()));
            }
            case ExtendedHeader.XrcEth h -> values.put(XRC_SRQ, (long) h.srqNumber());
            case ExtendedHeader.DcEth h -> {
                values.put(DC_FLAGS, (long) h.flags());
                values.put(SESSION, (long) h.sessionId());
                values.put(CHANNEL, (long) h.channel());
                values.put(SENDER, (long) h.sender());
            }
            case ExtendedHeader.DcConnectEth h -> {
                values.put(RECONNECT, h.reconnect() ? 1L : 0);
                values.put(REVERSE_SL, (long) h.reverseSl());
                values.put(NEXT_PSN, (long) h.nextPsn());
                values.put(ACCESS_KEY, h.accessKey());
            }
            case ExtendedHeader.Ieth h -> values.put(INVALIDATED, Integer.toUnsignedLong(h.rkey()));
        }
    }
}
