// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicAckEth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicAddress;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicEth;
import org.hcaactors.fabric.packet.ExtendedHeader.AtomicSize;
import org.hcaactors.fabric.packet.ExtendedHeader.DcConnectEth;
import org.hcaactors.fabric.packet.ExtendedHeader.DcEth;
import org.hcaactors.fabric.packet.ExtendedHeader.Deth;
import org.hcaactors.fabric.packet.ExtendedHeader.Ieth;
import org.hcaactors.fabric.packet.ExtendedHeader.Immediate;
import org.hcaactors.fabric.packet.ExtendedHeader.Reth;
import org.hcaactors.fabric.packet.ExtendedHeader.XrcEth;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Opcode;

/**
 * Codec of BTH and extended headers, big-endian (rules wire-bth, wire-headers, wire-xrc-header, wire-dc-header,
 * wire-dc-connect). The caller has checked the lengths.
 */
final class TransportHeaders {
    private static final int SOLICITED = 0x80;
    private static final int MIG_REQ = 0x40;
    private static final int FECN = 0x80;
    private static final int BECN = 0x40;
    private static final int ACK_REQ = 0x80;

    private TransportHeaders() {}

    static Bth readBth(ByteBuffer in, Opcode opcode) {
        in.get();
        int flags = in.get();
        int pkey = in.getShort() & 0xFFFF;
        int congestionAndQp = in.getInt();
        int ackAndPsn = in.getInt();
        int congestion = congestionAndQp >>> 24;
        int ack = ackAndPsn >>> 24;
        return new Bth(
                opcode,
                (flags & SOLICITED) != 0,
                (flags & MIG_REQ) != 0,
                (byte) (flags >> 4 & 3),
                (byte) (flags & 0xF),
                pkey,
                (congestion & FECN) != 0,
                (congestion & BECN) != 0,
                (byte) (congestion & 0x3F),
                congestionAndQp & 0xFF_FFFF,
                (ack & ACK_REQ) != 0,
                (byte) (ack & 0x7F),
                ackAndPsn & 0xFF_FFFF);
    }

    static void writeBth(Bth bth, ByteBuffer out) {
        out.put((byte) bth.opcode().code());
        out.put((byte) ((bth.solicited() ? SOLICITED : 0)
                | (bth.migReq() ? MIG_REQ : 0)
                | bth.padCount() << 4
                | bth.transportVersion()));
        out.putShort((short) bth.pkey());
        int congestion = (bth.fecn() ? FECN : 0) | (bth.becn() ? BECN : 0) | bth.reserved6();
        out.putInt(congestion << 24 | bth.destQp());
        int ack = (bth.ackReq() ? ACK_REQ : 0) | bth.reserved7();
        out.putInt(ack << 24 | bth.psn());
    }

    static List<ExtendedHeader> readExtended(ByteBuffer in, Opcode opcode) {
        List<ExtendedHeader> headers = new ArrayList<>(opcode.extended().size());
        for (HeaderKind kind : opcode.extended()) {
            headers.add(read(in, kind));
        }
        return List.copyOf(headers);
    }

    /** Reads the headers that are complete. */
    static List<ExtendedHeader> readWhole(ByteBuffer in, Opcode opcode) {
        List<ExtendedHeader> headers = new ArrayList<>(opcode.extended().size());
        for (HeaderKind kind : opcode.extended()) {
            if (in.remaining() < kind.lengthBytes()) {
                break;
            }
            headers.add(read(in, kind));
        }
        return List.copyOf(headers);
    }

    private static ExtendedHeader read(ByteBuffer in, HeaderKind kind) {
        return switch (kind) {
            case RETH -> new Reth(in.getLong(), in.getInt(), in.getInt());
            case ATOMIC_ETH -> new AtomicEth(in.getLong(), in.getInt(), in.getLong(), in.getLong());
            case AETH -> {
                int word = in.getInt();
                yield new Aeth(word >>> 24, word & 0xFF_FFFF);
            }
            case ATOMIC_ACK_ETH -> new AtomicAckEth(in.getLong());
            case DETH -> {
                int qkey = in.getInt();
                int word = in.getInt();
                yield new Deth(qkey, word >>> 24, word & 0xFF_FFFF);
            }
            case IMMEDIATE -> new Immediate(in.getInt());
            case IETH -> new Ieth(in.getInt());
            case ATOMIC_SIZE -> size(in.getInt());
            case ATOMIC_ADDRESS -> new AtomicAddress(in.getLong(), in.getInt());
            case XRC_ETH -> {
                int word = in.getInt();
                yield new XrcEth(word >>> 24, word & 0xFF_FFFF);
            }
            case DC_ETH -> {
                int session = in.getInt();
                int sender = in.getInt();
                yield new DcEth(session >>> 24, session & 0xFF_FFFF, sender >>> 24, sender & 0xFF_FFFF);
            }
            case DC_CONNECT_ETH -> connect(in.getInt(), in.getInt(), in.getLong());
        };
    }

    // rule wire-dc-connect
    private static DcConnectEth connect(int first, int second, long accessKey) {
        long reserved = (long) (first >>> 29) << 32 | Integer.toUnsignedLong(second);
        return new DcConnectEth((first >>> 28 & 1) != 0, first >>> 24 & 0xF, first & 0xFF_FFFF, reserved, accessKey);
    }

    /** Decodes the header from its four bytes. */
    static AtomicSize size(int word) {
        return new AtomicSize(word >>> 24, word >>> 16 & 0xFF, word & 0xFFFF);
    }

    static void write(ExtendedHeader header, ByteBuffer out) {
        switch (header) {
            case Reth h -> out.putLong(h.address()).putInt(h.rkey()).putInt(h.lengthBytes());
            case AtomicEth h ->
                out.putLong(h.address()).putInt(h.rkey()).putLong(h.swapOrAdd()).putLong(h.compare());
            case Aeth h -> out.putInt(h.syndrome() << 24 | h.msn());
            case AtomicAckEth h -> out.putLong(h.original());
            case Deth h -> out.putInt(h.qkey()).putInt(h.reserved() << 24 | h.sourceQp());
            case Immediate h -> out.putInt(h.value());
            case Ieth h -> out.putInt(h.rkey());
            case AtomicSize h -> out.putInt(h.logBytes() << 24 | h.transport() << 16 | h.reserved());
            case AtomicAddress h -> out.putLong(h.address()).putInt(h.rkey());
            case XrcEth h -> out.putInt(h.reserved() << 24 | h.srqNumber());
            case DcEth h -> out.putInt(h.flags() << 24 | h.sessionId()).putInt(h.channel() << 24 | h.sender());
            case DcConnectEth h -> {
                int reserved = (int) (h.reserved() >>> 32);
                int bits = reserved << 5 | (h.reconnect() ? 1 << 4 : 0) | h.reverseSl();
                out.putInt(bits << 24 | h.nextPsn()).putInt((int) h.reserved()).putLong(h.accessKey());
            }
        }
    }
}
