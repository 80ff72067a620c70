// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Encapsulations around a frame, or in place of its Ethernet header: as in captures of other link types and of mirror ports.
 */
enum Envelopes {
    NONE(1),
    VLAN(1),
    QINQ(1),
    GRE(1),
    ERSPAN_I(1),
    ERSPAN_II(1),
    ERSPAN_III(1),
    VXLAN(1),
    GENEVE(1),
    ROCE_V1(1),
    COOKED(113),
    COOKED_ANEW(276),
    NULL(0),
    LOOP(108),
    RAW(101);

    private static final int ETHERNET = FrameMutations.ETHERNET;

    final int linkType;

    Envelopes(int linkType) {
        this.linkType = linkType;
    }

    byte[] around(byte[] frame) {
        if (frame.length < ETHERNET) {
            return frame;
        }
        return switch (this) {
            case NONE -> frame;
            case VLAN -> tagged(frame, 0x8100);
            case QINQ -> tagged(tagged(frame, 0x8100), 0x88A8);
            case GRE -> mirrored(frame, 47, bytes(4).putInt(0x6558));
            case ERSPAN_I -> mirrored(frame, 47, bytes(4).putInt(0x88BE));
            case ERSPAN_II ->
                mirrored(frame, 47, bytes(16).putInt(0x1000_88BE).putInt(7).putInt(0x1001_0000));
            case ERSPAN_III ->
                mirrored(frame, 47, bytes(20).putInt(0x1000_22EB).putInt(7).putInt(0x2001_0000));
            case VXLAN ->
                mirrored(frame, 17, udp(4789, frame.length).putInt(0x0800_0000).putInt(0x100));
            case GENEVE ->
                mirrored(frame, 17, udp(6081, frame.length).putInt(0x0000_6558).putInt(0x100));
            case ROCE_V1 -> withoutIp(frame);
            case COOKED ->
                joined(bytes(16).putShort((short) 4).putShort((short) 1).putShort(14, type(frame)), frame);
            case COOKED_ANEW ->
                joined(bytes(20).putShort(type(frame)).putInt(4, 3).putShort(8, (short) 1), frame);
            case NULL ->
                joined(
                        ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(type(frame) == 0x0800 ? 2 : 10),
                        frame);
            case LOOP -> joined(bytes(4).putInt(type(frame) == 0x0800 ? 2 : 24), frame);
            case RAW -> joined(bytes(0), frame);
        };
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count);
    }

    private static short type(byte[] frame) {
        return ByteBuffer.wrap(frame).getShort(12);
    }

    private static byte[] tagged(byte[] frame, int type) {
        ByteBuffer out = bytes(frame.length + 4);
        out.put(frame, 0, 12).putShort((short) type).putShort((short) 7).put(frame, 12, frame.length - 12);
        return out.array();
    }

    private static ByteBuffer udp(int port, int inside) {
        return bytes(16).putShort((short) 0xC000).putShort((short) port).putInt(16 + inside << 16);
    }

    /** Returns the frame as a mirror port sends it, in a packet of its own. */
    private static byte[] mirrored(byte[] frame, int protocol, ByteBuffer header) {
        int length = 20 + header.capacity() + frame.length;
        ByteBuffer out = bytes(ETHERNET + length);
        out.putShort(12, (short) 0x0800).put(ETHERNET, (byte) 0x45).putShort(ETHERNET + 2, (short) length);
        out.put(ETHERNET + 8, (byte) 64).put(ETHERNET + 9, (byte) protocol);
        out.position(ETHERNET + 20);
        return out.put(header.array()).put(frame).array();
    }

    /** Returns the frame with a GRH in place of IP and UDP; its ICRC is wrong then, which does not matter here. */
    private static byte[] withoutIp(byte[] frame) {
        int bth = FrameMutations.bth(frame);
        if (bth == 0) {
            return frame;
        }
        ByteBuffer out = bytes(ETHERNET + 40 + frame.length - bth);
        out.put(frame, 0, 12).putShort((short) 0x8915);
        out.putInt(0x6000_0000)
                .putShort((short) (frame.length - bth))
                .put((byte) 0x1B)
                .put((byte) 64);
        out.put(Arrays.copyOf(new byte[] {(byte) 0xFE, (byte) 0x80}, 16));
        out.put(Arrays.copyOf(new byte[] {(byte) 0xFE, (byte) 0x80, 0, 1}, 16));
        return out.put(frame, bth, frame.length - bth).array();
    }

    /** Returns the frame with another header in place of the Ethernet header. */
    private static byte[] joined(ByteBuffer header, byte[] frame) {
        ByteBuffer out = bytes(header.capacity() + frame.length - ETHERNET);
        return out.put(header.array())
                .put(frame, ETHERNET, frame.length - ETHERNET)
                .array();
    }
}
