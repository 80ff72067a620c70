// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Packet;

/**
 * One bit flipped in transit, where the ICRC covers it: a receiver always detects it (rule wire-icrc).
 *
 * @param byteIndex from the first byte of the Ethernet frame
 * @param bit 0 to 7
 */
public record BitFlip(int byteIndex, int bit) {
    /** Part of the frame in which the bit is. */
    public enum Where {
        /** BTH or an extended header, except for the byte that routers may change. */
        HEADER,
        /** The payload, or the ICRC if the packet has none. */
        PAYLOAD,
        ICRC
    }

    private static final int UNCOVERED_BYTE = 4;

    public BitFlip {
        if (byteIndex < 0 || bit < 0 || bit > 7) {
            throw new IllegalArgumentException(
                    "byte " + byteIndex + " bit " + bit + " does not exist; bytes from 0 and bits 0 to 7 are allowed");
        }
    }

    /**
     * Returns a bit of that part.
     *
     * @param choice any number; the same number selects the same bit
     */
    public static BitFlip of(Packet packet, Where where, long choice) {
        int frame = packet.frameBytes();
        int payload = packet.payload().length();
        int payloadAt = frame - Icrc.LENGTH_BYTES - packet.bth().padCount() - payload;
        int headers = Bth.LENGTH_BYTES + packet.opcode().extendedBytes();
        Where hit = where == Where.PAYLOAD && payload == 0 ? Where.ICRC : where;
        int from = switch (hit) {
            case HEADER -> payloadAt - headers;
            case PAYLOAD -> payloadAt;
            case ICRC -> frame - Icrc.LENGTH_BYTES;
        };
        int length = switch (hit) {
            case HEADER -> headers - 1;
            case PAYLOAD -> payload;
            case ICRC -> Icrc.LENGTH_BYTES;
        };
        long bits = Math.floorMod(choice, length * 8L);
        int at = (int) (bits / 8);
        int skip = hit == Where.HEADER && at >= UNCOVERED_BYTE ? 1 : 0;
        return new BitFlip(from + at + skip, (int) (bits % 8));
    }

    /** Returns the frame of that packet with the bit flipped. */
    public byte[] in(Packet packet) {
        byte[] frame = FrameEncoder.encode(packet);
        frame[byteIndex] ^= (byte) (1 << bit);
        return frame;
    }
}
