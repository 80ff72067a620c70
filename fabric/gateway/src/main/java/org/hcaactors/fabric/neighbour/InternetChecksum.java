// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.neighbour;

/** The checksum of IPv4 headers, ICMP and ICMPv6 (RFC 1071): the complement of a sum of 16-bit words. */
public final class InternetChecksum {
    private static final int MASK = 0xFFFF;

    private InternetChecksum() {}

    /** Returns the sum of the bytes, to which further sums may be added; an odd byte is the high one of a word. */
    static long sum(byte[] bytes, int at, int length) {
        long sum = 0;
        for (int i = 0; i < length; i++) {
            sum += (long) (bytes[at + i] & 0xFF) << (i % 2 == 0 ? Byte.SIZE : 0);
        }
        return sum;
    }

    /** Returns the checksum of 16 bits for a sum. */
    static int of(long sum) {
        long folded = sum;
        while (folded >>> Short.SIZE != 0) {
            folded = (folded & MASK) + (folded >>> Short.SIZE);
        }
        return (int) ~folded & MASK;
    }

    /** True if the bytes have the right checksum among them. */
    public static boolean isRight(byte[] bytes, int at, int length) {
        return of(sum(bytes, at, length)) == 0;
    }
}
