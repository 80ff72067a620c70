// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

/** Fields of an IP header besides the route, kept so that a captured frame encodes to the same bytes. */
public sealed interface IpHeader {
    /** Returns the length without options. */
    int lengthBytes();

    /**
     * @param identification 16 bits, as in the route
     * @param flagsAndFragment 16 bits, as in the route
     * @param checksum 16 bits as on the wire
     */
    record Ipv4(int identification, int flagsAndFragment, int checksum) implements IpHeader {
        public static final int LENGTH_BYTES = 20;

        @Override
        public int lengthBytes() {
            return LENGTH_BYTES;
        }
    }

    record Ipv6() implements IpHeader {
        public static final int LENGTH_BYTES = 40;

        @Override
        public int lengthBytes() {
            return LENGTH_BYTES;
        }
    }

    /** The Global Route Header of RoCEv1: laid out as an IPv6 header, with BTH directly behind it. */
    record Grh() implements IpHeader {
        public static final int LENGTH_BYTES = 40;

        @Override
        public int lengthBytes() {
            return LENGTH_BYTES;
        }
    }
}
