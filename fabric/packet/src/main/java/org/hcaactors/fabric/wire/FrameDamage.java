// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.util.Arrays;
import org.hcaactors.fabric.packet.Bth;

/**
 * Damage to the bytes of a frame, as no sender would produce it. Frames are those of {@link FrameEncoder#encode}: Ethernet
 * without tags.
 */
public sealed interface FrameDamage {
    int ETHERNET = 14;
    int UDP = 8;

    /** Returns the damaged frame; the given one is not changed. */
    byte[] in(byte[] frame);

    /** Returns the damage as text: {@code cut off its last 7 bytes}. */
    String words();

    /** Removes the last bytes, which the headers still count; at most all after the Ethernet header. */
    record Truncate(int bytes) implements FrameDamage {
        public Truncate {
            if (bytes < 1) {
                throw new IllegalArgumentException(
                        "a frame can't be truncated by " + bytes + " bytes; at least 1 is allowed");
            }
        }

        @Override
        public byte[] in(byte[] frame) {
            return Arrays.copyOf(frame, Math.max(ETHERNET, frame.length - bytes));
        }

        @Override
        public String words() {
            return "cut off its last " + bytes + " bytes";
        }
    }

    /**
     * Adds or removes bytes before the ICRC; the IP and UDP lengths and the ICRC are correct.
     *
     * @param bytes below 0 to remove; bytes before the BTH are never removed
     */
    record Resize(int bytes) implements FrameDamage {
        /** No link carries a longer frame. */
        public static final int MAX = 9000;

        public Resize {
            if (bytes == 0 || Math.abs(bytes) > MAX) {
                throw new IllegalArgumentException("a frame can't be resized by " + bytes + " bytes; -" + MAX + " to "
                        + MAX + " without 0 is allowed");
            }
        }

        @Override
        public byte[] in(byte[] frame) {
            int udp = udpAt(frame);
            byte[] other = Arrays.copyOf(frame, Math.max(udp + UDP, frame.length + bytes));
            int udpBytes = other.length - udp;
            boolean v4 = isIpv4(other);
            put16(other, ETHERNET + (v4 ? 2 : 4), v4 ? udpBytes + IpHeader.Ipv4.LENGTH_BYTES : udpBytes);
            put16(other, udp + 4, udpBytes);
            return sealed(other);
        }

        @Override
        public String words() {
            return "make it " + Math.abs(bytes) + " bytes " + (bytes < 0 ? "shorter" : "longer");
        }
    }

    /** Replaces the ICRC by a wrong one. */
    record WrongIcrc() implements FrameDamage {
        @Override
        public byte[] in(byte[] frame) {
            byte[] other = frame.clone();
            other[other.length - 1] ^= 1;
            return other;
        }

        @Override
        public String words() {
            return "give it a wrong ICRC";
        }
    }

    /**
     * Changes one byte and corrects the ICRC.
     *
     * @param at from the first byte of the frame, modulo its length
     * @param value 8 bits
     */
    record Poke(int at, int value) implements FrameDamage {
        public Poke {
            if (at < 0 || value < 0 || value > 0xFF) {
                throw new IllegalArgumentException(
                        "byte " + at + " can't be set to " + value + "; bytes from 0 and values 0 to 255 are allowed");
            }
        }

        @Override
        public byte[] in(byte[] frame) {
            int udp = udpAt(frame);
            byte[] other = frame.clone();
            other[at % other.length] = (byte) value;
            return sealed(other, udp);
        }

        @Override
        public String words() {
            return "set its byte %d to 0x%02x".formatted(at, value);
        }
    }

    private static byte[] sealed(byte[] frame) {
        return sealed(frame, udpAt(frame));
    }

    /** Writes the correct ICRC, if the frame is long enough to have one after the BTH. */
    private static byte[] sealed(byte[] frame, int udpAt) {
        int icrcAt = frame.length - Icrc.LENGTH_BYTES;
        if (icrcAt >= udpAt + UDP + Bth.LENGTH_BYTES) {
            int icrc = Icrc.compute(frame, ETHERNET, udpAt - ETHERNET, icrcAt);
            put16(frame, icrcAt, icrc >>> 16);
            put16(frame, icrcAt + 2, icrc);
        }
        return frame;
    }

    private static boolean isIpv4(byte[] frame) {
        return (frame[ETHERNET] & 0xF0) == 0x40;
    }

    private static int udpAt(byte[] frame) {
        return ETHERNET + (isIpv4(frame) ? IpHeader.Ipv4.LENGTH_BYTES : IpHeader.Ipv6.LENGTH_BYTES);
    }

    private static void put16(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >>> 8);
        bytes[at + 1] = (byte) value;
    }
}
