// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

/** What some bytes turned out to be. Decoding never throws on bytes. */
public sealed interface Decoded {
    /** A RoCEv2 packet, or in a capture one of RoCEv1; its ICRC may still be wrong. */
    record Frame(RoceFrame frame) implements Decoded {}

    /** A packet of which the capture holds the beginning. */
    record Cut(CutFrame frame) implements Decoded {}

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
     * RoCEv2 by its port, and wrong.
     *
     * @param problem the kind of fault
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

    /** What can be wrong with bytes that should be a packet. */
    enum Problem {
        TRUNCATED,
        BAD_LENGTH,
        FRAGMENT,
        UNKNOWN_OPCODE,
        UNEXPECTED_PAYLOAD
    }
}
