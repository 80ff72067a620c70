// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.BitFlip;

/** Action of a fault on a packet. */
public sealed interface PacketAction {
    String words();

    /** As {@link Fault#key}. */
    default String key() {
        return words();
    }

    default FaultKind kind() {
        return switch (this) {
            case Drop drop -> FaultKind.DROP;
            case Delay delay -> FaultKind.DELAY;
            case Duplicate twice -> FaultKind.DUPLICATE;
            case Reorder late -> FaultKind.REORDER;
            case Corrupt corrupt -> FaultKind.CORRUPT;
            case Rewrite rewrite -> FaultKind.REWRITE;
            case Forge forge -> FaultKind.FORGE;
        };
    }

    record Drop() implements PacketAction {
        @Override
        public String words() {
            return "drop";
        }
    }

    /** Delivers the packet later by a random time between the two; equal bounds draw no random number. */
    record Delay(Duration min, Duration max) implements PacketAction {
        public Delay {
            if (min.isNegative() || max.compareTo(min) < 0) {
                throw new IllegalArgumentException(
                        "the delay is from " + min + " to " + max + "; 0 <= minimum <= maximum is required");
            }
        }

        @Override
        public String words() {
            return "delay by " + micros(min) + (min.equals(max) ? "" : " to " + micros(max));
        }
    }

    /** Delivers the packet, and a copy of it later by that time. */
    record Duplicate(Duration after) implements PacketAction {
        @Override
        public String words() {
            return "duplicate" + (after.isZero() ? "" : " after " + micros(after));
        }
    }

    /** Delivers the packet after the given number of later packets to the same queue pair, at the latest after {@code atMost}. */
    record Reorder(int behind, Duration atMost) implements PacketAction {
        public Reorder {
            if (behind < 1) {
                throw new IllegalArgumentException(
                        "the packet is to be put behind " + behind + " later packets; at least 1 is allowed");
            }
        }

        @Override
        public String words() {
            return "reorder (behind " + behind + " later)";
        }

        @Override
        public String key() {
            return "put behind " + behind + " later packets";
        }
    }

    /** Flips one bit, so that the receiver drops the packet silently. */
    record Corrupt(BitFlip.Where where) implements PacketAction {
        @Override
        public String words() {
            return "corrupt the " + where.name().toLowerCase(Locale.ROOT) + " of";
        }
    }

    /** Code of the user: it has a name and can be printed, but not stored. */
    record Rewrite(String name, UnaryOperator<Packet> change) implements PacketAction {
        @Override
        public String words() {
            return "rewrite (" + name + ")";
        }
    }

    /** Adds a forged packet next to the packet. */
    record Forge(Forgery forgery) implements PacketAction {
        @Override
        public String words() {
            return forgery.words();
        }
    }

    static String micros(Duration time) {
        return "%d.%03d us".formatted(time.toNanos() / 1000, time.toNanos() % 1000);
    }
}
