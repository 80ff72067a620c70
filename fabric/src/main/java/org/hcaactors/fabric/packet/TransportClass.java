// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

/** Bits 7 to 5 of the opcode (IBA 9.2.1). */
public enum TransportClass {
    RC(0x00, true),
    UC(0x20, false),
    UD(0x60, false),
    CNP(0x80, false);

    private final int bits;
    private final boolean answered;

    TransportClass(int bits, boolean answered) {
        this.bits = bits;
        this.answered = answered;
    }

    public int bits() {
        return bits;
    }

    /** Its requests are answered, and sent again where they are not. */
    public boolean isAnswered() {
        return answered;
    }
}
