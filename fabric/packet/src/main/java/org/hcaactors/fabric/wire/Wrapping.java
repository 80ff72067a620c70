// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.util.OptionalInt;

/** A header around the packet of a captured frame, besides the packet's own Ethernet, IP and UDP headers. */
public sealed interface Wrapping {
    /** True if the frame inside may be truncated, as mirror ports do with copies. */
    default boolean isMirror() {
        return false;
    }

    /** Direction of a frame that a host captured on all its interfaces. */
    enum PacketType {
        TO_US,
        BROADCAST,
        MULTICAST,
        TO_ANOTHER,
        FROM_US,
        UNKNOWN;

        private static final int KNOWN = 5;

        static PacketType of(int code) {
            return code >= 0 && code < KNOWN ? values()[code] : UNKNOWN;
        }
    }

    /**
     * Pseudo-header that Linux puts in place of the link header ({@code tcpdump -i any}).
     *
     * @param index of the interface; only version 2 has it
     */
    record Cooked(int version, PacketType type, OptionalInt index) implements Wrapping {
        @Override
        public String toString() {
            return "SLL" + (version == 1 ? "" : version);
        }
    }

    /** Address family in the pseudo-header of BSD loopback interfaces. */
    record Loopback(int family) implements Wrapping {
        @Override
        public String toString() {
            return "loopback";
        }
    }

    /**
     * A tag of IEEE 802.1Q, or the outer one of 802.1ad.
     *
     * @param type the tag's ethertype
     * @param id 12 bits
     */
    record Vlan(int type, int id) implements Wrapping {
        @Override
        public String toString() {
            return (type == Decapsulation.TYPE_VLAN ? "VLAN " : "service VLAN ") + id;
        }
    }

    /** RFC 2784, 2890. */
    record Gre(OptionalInt key) implements Wrapping {
        @Override
        public boolean isMirror() {
            return true;
        }

        @Override
        public String toString() {
            return "GRE" + (key.isPresent() ? " key " + Integer.toUnsignedString(key.getAsInt()) : "");
        }
    }

    /**
     * Header of a switch's mirror session (draft-foschiano-erspan).
     *
     * @param version 1 to 3
     * @param session 10 bits; version 1 has none
     */
    record Erspan(int version, OptionalInt session) implements Wrapping {
        @Override
        public boolean isMirror() {
            return true;
        }

        @Override
        public String toString() {
            return "ERSPAN " + "I".repeat(version) + (session.isPresent() ? " session " + session.getAsInt() : "");
        }
    }

    /** RFC 7348. */
    record Vxlan(int network) implements Wrapping {
        @Override
        public boolean isMirror() {
            return true;
        }

        @Override
        public String toString() {
            return "VXLAN " + network;
        }
    }

    /** RFC 8926. */
    record Geneve(int network) implements Wrapping {
        @Override
        public boolean isMirror() {
            return true;
        }

        @Override
        public String toString() {
            return "Geneve " + network;
        }
    }
}
