// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

/** Result of decoding bytes. Decoding never throws because of its input. */
public sealed interface Decoded {
    /** A RoCEv2 packet, or in a capture a RoCEv1 packet; its ICRC may be wrong. */
    record Frame(RoceFrame frame) implements Decoded {}

    /** A packet whose end the capture does not contain. */
    record Truncated(TruncatedFrame frame) implements Decoded {}

    /**
     * Another protocol.
     *
     * @param what for example {@code ethertype 0x0806} or {@code UDP port 53}
     */
    record NotRoce(String what) implements Decoded {
        public String kind() {
            return "not RoCE";
        }

        public String wording() {
            return kind() + ": " + what;
        }
    }

    /**
     * A packet to the RoCEv2 port that is invalid.
     *
     * @param problem kind of defect
     * @param detail what was found and what is allowed
     */
    record Malformed(Problem problem, String detail) implements Decoded {
        public String kind() {
            return "malformed, " + problem;
        }

        public String wording() {
            return kind() + ": " + detail;
        }
    }

    /** Kinds of defects. */
    enum Problem {
        TRUNCATED,
        BAD_LENGTH,
        FRAGMENT,
        UNKNOWN_OPCODE,
        UNEXPECTED_PAYLOAD
    }
}
