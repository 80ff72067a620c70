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

/** What a forger may write otherwise than it stands in a packet (rules wire-bth, wire-headers, wire-route). */
public enum ForgedField {
    /** Any of 256, those that nobody knows among them. */
    OPCODE(8),
    SOLICITED(1),
    MIG_REQ(1),
    /** Follows the payload's length unless it is set. */
    PAD(2),
    VERSION(4),
    PKEY(16),
    FECN(1),
    BECN(1),
    /** The reserved bits beside FECN and BECN. */
    RESERVED6(6),
    /** The destination. */
    QP(24),
    ACK_REQ(1),
    /** The reserved bits beside A. */
    RESERVED7(7),
    PSN(24),
    /** Of a WRITE, a READ or an atomic. */
    ADDRESS(64),
    RKEY(32),
    /** That a RETH tells. */
    LENGTH(32),
    SYNDROME(8),
    MSN(24),
    SWAP_OR_ADD(64),
    COMPARE(64),
    /** The value before, in the answer to an atomic. */
    ORIGINAL(64),
    QKEY(32),
    SOURCE_QP(24),
    IMMEDIATE(32),
    /** The key that a SEND with invalidate names. */
    INVALIDATED(32),
    /** Log2 of the bytes of a masked atomic's value. */
    ATOMIC_SIZE(8),
    /** The shared receive queue that a request over XRC names (rule wire-xrc-header). */
    XRC_SRQ(24),
    /** Of the DCETH: the version, and whether the target asks for the full handshake (rule wire-dc-header). */
    DC_FLAGS(8),
    /** Of DC, as the target numbers them; 0 for none. */
    SESSION(24),
    /** Of a DC initiator's streams. */
    CHANNEL(8),
    /** The DC initiator or target that a packet comes from. */
    SENDER(24),
    /** Of a CONNECT, as those below (rule wire-dc-connect). */
    RECONNECT(1),
    REVERSE_SL(4),
    NEXT_PSN(24),
    ACCESS_KEY(64),
    /** Bytes of payload; what is more than there were is 0xEE. */
    PAYLOAD(14),
    /** The low bits of the source's IP address. */
    SOURCE(32),
    TRAFFIC_CLASS(8),
    HOP_LIMIT(8);

    private final int bits;

    ForgedField(int bits) {
        this.bits = bits;
    }

    /** The value cut to the bits of the field. */
    long cut(long value) {
        return bits == Long.SIZE ? value : value & (1L << bits) - 1;
    }

    /** The greatest value; -1, unsigned, for one of 64 bits. */
    long max() {
        return cut(-1);
    }

    /** As plans write it: {@code ack-req}. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@code RC_ACKNOWLEDGE}, {@code 0x62}, {@code 17}. */
    String words(long value) {
        return switch (this) {
            case OPCODE -> opcode((int) value).orElseGet(() -> "0x%02x".formatted(value));
            case SYNDROME, PKEY, RKEY, QKEY, ADDRESS, INVALIDATED, DC_FLAGS, ACCESS_KEY ->
                "0x" + Long.toHexString(value);
            default -> Long.toString(value);
        };
    }

    /** Of a code that the solicited bit gives to one of two it is none. */
    private static Optional<String> opcode(int code) {
        return Opcode.isShared(code)
                ? Opcode.of(TransportClass.RC, code)
                        .map(opcode -> opcode.operation().name())
                : Opcode.of(code).filter(opcode -> !opcode.isToldBySolicited()).map(Opcode::name);
    }

    /** The fields that a packet has, and {@link #PAD} only where it is not what its payload asks for. */
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
