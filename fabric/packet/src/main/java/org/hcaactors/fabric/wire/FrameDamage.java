// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.util.Arrays;
import org.hcaactors.fabric.packet.Bth;

/**
 * What a forger does to the bytes of a frame, so that no sender can have made it. Frames are those of {@link
 * FrameEncoder#encode}: Ethernet without tags.
 */
public sealed interface FrameDamage {
    int ETHERNET = 14;
    int UDP = 8;

    /** The frame with the damage; the one given is left as it is. */
    byte[] in(byte[] frame);

    /** {@code cut off its last 7 bytes}. */
    String words();

    /** The last bytes never come, and the headers still count them. At most all behind the Ethernet header go. */
    record Truncate(int bytes) implements FrameDamage {
        public Truncate {
            if (bytes < 1) {
                throw new IllegalArgumentException("truncate by " + bytes + " bytes; at least 1 is allowed");
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
     * So many bytes more before the ICRC, or fewer; the lengths of IP and UDP and the ICRC are right.
     *
     * @param bytes below 0 for fewer; what is before the BTH stays
     */
    record Resize(int bytes) implements FrameDamage {
        /** No link carries a longer frame. */
        public static final int MAX = 9000;

        public Resize {
            if (bytes == 0 || Math.abs(bytes) > MAX) {
                throw new IllegalArgumentException(
                        "resize by " + bytes + " bytes; -" + MAX + " to " + MAX + " without 0 is allowed");
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

    /** Another ICRC. */
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
     * Another byte, and the ICRC is right again.
     *
     * @param at from the first byte of the frame, modulo its length
     * @param value 8 bits
     */
    record Poke(int at, int value) implements FrameDamage {
        public Poke {
            if (at < 0 || value < 0 || value > 0xFF) {
                throw new IllegalArgumentException(
                        "byte " + at + " is " + value + "; from 0, and 0 to 255, is allowed");
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

    /** With a right ICRC, if there is room for one behind the BTH. */
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
