// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.link;

import java.util.Objects;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.wire.BitFlip;

/** What an interceptor wants done with a packet; {@code rule} names the reason in the trace. */
public sealed interface Verdict {
    Verdict PASS = new Pass();

    record Pass() implements Verdict {}

    record Drop(String rule) implements Verdict {}

    /** Delivered that much later; cut at the packet lifetime. */
    record Delay(String rule, long nanos) implements Verdict {
        public Delay {
            atLeastNothing("a delay", nanos);
        }
    }

    /** Delivered, and delivered again that much later. */
    record Duplicate(String rule, long afterNanos) implements Verdict {
        public Duplicate {
            atLeastNothing("a duplicate's delay", afterNanos);
        }
    }

    /**
     * Delivered behind that many later packets to the same queue pair.
     *
     * @param atMostNanos delivered then in any case; cut at the packet lifetime
     */
    record Reorder(String rule, int behind, long atMostNanos) implements Verdict {
        public Reorder {
            atLeastNothing("the longest wait", atMostNanos);
        }
    }

    /** One bit is turned over on the way: the receiver finds a wrong ICRC and drops the packet in silence. */
    record Corrupt(String rule, BitFlip flip) implements Verdict {}

    /** Another packet travels in its place, to where the replacement is addressed. */
    record Replace(String rule, Packet replacement) implements Verdict {
        public Replace {
            Objects.requireNonNull(replacement, "replacement");
        }
    }

    /**
     * A frame that nobody sent comes in beside the packet, to where it is addressed: a port reads it as it reads any.
     *
     * @param frame from the Ethernet header on
     * @param afterNanos how much later than the packet it arrives, or than the packet would
     */
    record Forge(String rule, Place place, Octets frame, long afterNanos) implements Verdict {
        /** Where the forged one stands beside the packet that passes. */
        public enum Place {
            AHEAD,
            /** The packet itself is lost. */
            INSTEAD,
            BEHIND
        }

        public Forge {
            atLeastNothing("a forged frame's delay", afterNanos);
        }
    }

    private static void atLeastNothing(String what, long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException(what + " of " + nanos + " ns; at least 0 is allowed");
        }
    }
}
