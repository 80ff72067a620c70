// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.Objects;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.BitFlip;

/** Verdict of an interceptor on a packet; {@code rule} is the reason in the trace. */
public sealed interface Verdict {
    Verdict PASS = new Pass();

    record Pass() implements Verdict {}

    record Drop(String rule) implements Verdict {}

    /** Delivers the packet later by this time; at most by the packet lifetime. */
    record Delay(String rule, long nanos) implements Verdict {
        public Delay {
            checkNotNegative("a delay", nanos);
        }
    }

    /** Delivers the packet, and a copy of it later by this time. */
    record Duplicate(String rule, long afterNanos) implements Verdict {
        public Duplicate {
            checkNotNegative("a duplicate's delay", afterNanos);
        }
    }

    /**
     * Delivers the packet after this many later packets to the same queue pair.
     *
     * @param atMostNanos maximum delay; at most the packet lifetime
     */
    record Reorder(String rule, int behind, long atMostNanos) implements Verdict {
        public Reorder {
            checkNotNegative("the longest wait", atMostNanos);
        }
    }

    /** Flips one bit: the receiver finds a wrong ICRC and drops the packet silently. */
    record Corrupt(String rule, BitFlip flip) implements Verdict {}

    /** Replaces the packet; the replacement is delivered to its own destination. */
    record Replace(String rule, Packet replacement) implements Verdict {
        public Replace {
            Objects.requireNonNull(replacement, "replacement");
        }
    }

    /**
     * Adds a forged frame next to the packet; it is delivered to its own destination, and the port decodes it like any other.
     *
     * @param frame from the Ethernet header on
     * @param afterNanos delay after the arrival time of the packet
     */
    record Forge(String rule, Place place, Octets frame, long afterNanos) implements Verdict {
        /** Position of the forged frame relative to the packet. */
        public enum Place {
            AHEAD,
            /** The packet itself is dropped. */
            INSTEAD,
            BEHIND
        }

        public Forge {
            checkNotNegative("a forged frame's delay", afterNanos);
        }
    }

    private static void checkNotNegative(String what, long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException(what + " is " + nanos + " ns; at least 0 is allowed");
        }
    }
}
