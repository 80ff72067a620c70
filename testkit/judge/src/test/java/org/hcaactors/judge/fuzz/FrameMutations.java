// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Syndrome;

/** RoCEv2 Ethernet frames with mutated fields; the ICRC is usually corrected, so that parsing continues past it. */
final class FrameMutations {
    static final int ETHERNET = 14;
    private static final int UDP = 8;
    private static final int BTH = 12;
    private static final int ICRC = 4;
    private static final List<Integer> SYNDROMES = List.of(
            Syndrome.ACK,
            0x1F,
            Syndrome.NAK_PSN_SEQUENCE,
            Syndrome.NAK_INVALID_REQUEST,
            Syndrome.NAK_REMOTE_ACCESS,
            Syndrome.NAK_REMOTE_OPERATION,
            0x20,
            0x2C,
            0x3F,
            0x64,
            0x80,
            0xFF);
    private static final List<Long> LENGTHS = List.of(
            0L,
            1L,
            7L,
            8L,
            255L,
            256L,
            1024L,
            4096L,
            65535L,
            1L << 20,
            1L << 26,
            (1L << 31) - 1,
            1L << 31,
            0xFFFF_FFFFL);

    private FrameMutations() {}

    /** Returns the offset of the BTH; 0 if there is none. */
    static int bth(byte[] frame) {
        int type = frame.length < ETHERNET ? 0 : ByteBuffer.wrap(frame).getShort(12) & 0xFFFF;
        int at = ETHERNET + (type == 0x0800 ? 20 : 40) + UDP;
        return (type == 0x0800 || type == 0x86DD) && frame.length >= at + BTH + ICRC ? at : 0;
    }

    /** Changes one field or byte. */
    static byte[] changed(byte[] frame, SplittableRandom random) {
        byte[] other = frame.clone();
        int bth = bth(frame);
        if (bth == 0) {
            return other;
        }
        ByteBuffer fields = ByteBuffer.wrap(other);
        switch (random.nextInt(14)) {
            case 0 ->
                other[bth] =
                        (byte) Fuzzing.one(List.of(Opcode.values()), random).code();
            case 1, 2 -> number(fields, bth + 8, random.nextInt(9) - 4);
            case 3 -> put24(other, bth + 9, random.nextInt(3) == 0 ? 0xFFFFFF : random.nextInt(1 << 24));
            case 4 -> put24(other, bth + 5, random.nextInt(8));
            case 5, 6 ->
                other[extended(other, bth)] = Fuzzing.one(SYNDROMES, random).byteValue();
            case 7 -> number(fields, extended(other, bth), random.nextInt(5) - 2);
            case 8 -> length(fields, bth, random);
            case 9 -> other[bth + 1] = (byte) random.nextInt(256);
            case 10 -> {
                return resized(other, random);
            }
            case 11 -> other[ETHERNET + random.nextInt(bth - ETHERNET)] = (byte) random.nextInt(256);
            case 12 -> fields.putLong(Math.min(bth + BTH, other.length - 8), number(random));
            default -> other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return other;
    }

    private static int extended(byte[] frame, int bth) {
        return Math.min(bth + BTH, frame.length - ICRC);
    }

    /** Adds a small number to the low 24 bits of a field. */
    private static void number(ByteBuffer fields, int at, int by) {
        int before = fields.getInt(at);
        fields.putInt(at, before & 0xFF00_0000 | before + by & 0xFF_FFFF);
    }

    private static void put24(byte[] frame, int at, int value) {
        frame[at] = (byte) (value >> 16);
        frame[at + 1] = (byte) (value >> 8);
        frame[at + 2] = (byte) value;
    }

    /** Changes the length of a RETH, if there is one. */
    private static void length(ByteBuffer fields, int bth, SplittableRandom random) {
        if (fields.limit() >= bth + BTH + 16 + ICRC) {
            fields.putInt(bth + BTH + 12, Fuzzing.one(LENGTHS, random).intValue());
        }
    }

    private static long number(SplittableRandom random) {
        return new java.math.BigInteger(Fuzzing.one(Fuzzing.NUMBERS, random)).longValue();
    }

    /** Shortens or extends the frame, with matching length fields. */
    private static byte[] resized(byte[] frame, SplittableRandom random) {
        int bth = bth(frame);
        int min = bth + BTH + ICRC;
        int length = min + random.nextInt(Math.max(1, 2 * (frame.length - min) + 16));
        byte[] other = Arrays.copyOf(frame, length);
        ByteBuffer fields = ByteBuffer.wrap(other);
        boolean v4 = bth == ETHERNET + 20 + UDP;
        fields.putShort(bth - 4, (short) (length - bth + UDP));
        if (v4) {
            fields.putShort(ETHERNET + 2, (short) (length - ETHERNET));
        } else {
            fields.putShort(ETHERNET + 4, (short) (length - ETHERNET - 40));
        }
        return other;
    }

    /** Corrects the checksums. */
    static byte[] withRightChecks(byte[] frame) {
        int bth = bth(frame);
        if (bth == 0) {
            return frame;
        }
        byte[] other = frame.clone();
        boolean v4 = bth == ETHERNET + 20 + UDP;
        if (v4) {
            headerSum(other);
        }
        int ip = ETHERNET;
        int end = frame.length - ICRC;
        byte[] covered = new byte[8 + end - ip];
        Arrays.fill(covered, 0, 8, (byte) 0xFF);
        System.arraycopy(other, ip, covered, 8, end - ip);
        int[] masked = v4 ? new int[] {1, 8, 10, 11, 26, 27, 32} : new int[] {1, 2, 3, 7, 46, 47, 52};
        for (int each : masked) {
            covered[8 + each] = (byte) 0xFF;
        }
        covered[8] |= v4 ? 0 : 0x0F;
        CRC32 crc = new CRC32();
        crc.update(covered);
        ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN).putInt(end, (int) crc.getValue());
        return other;
    }

    private static void headerSum(byte[] frame) {
        ByteBuffer header = ByteBuffer.wrap(frame);
        header.putShort(ETHERNET + 10, (short) 0);
        int sum = 0;
        for (int at = 0; at < 20; at += 2) {
            sum += header.getShort(ETHERNET + at) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        header.putShort(ETHERNET + 10, (short) ~((sum & 0xFFFF) + (sum >>> 16)));
    }
}
