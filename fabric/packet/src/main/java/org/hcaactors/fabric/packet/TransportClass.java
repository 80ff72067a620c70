// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import java.util.Arrays;
import java.util.Optional;

/** Bits 7 to 5 of the opcode (IBA 9.2.1). */
public enum TransportClass {
    RC(0x00, true),
    UC(0x20, false),
    /** Dynamically connected; the IBA has RD there, which no adapter speaks (rule wire-dc-class). */
    DC(0x40, true),
    UD(0x60, false),
    CNP(0x80, false),
    XRC(0xA0, true);

    private final int bits;
    private final boolean answered;

    TransportClass(int bits, boolean answered) {
        this.bits = bits;
        this.answered = answered;
    }

    public int bits() {
        return bits;
    }

    /** Those three bits by themselves, 0 to 7: as a masked atomic tells its transport (rule wire-masked-atomic). */
    public int number() {
        return bits >>> 5;
    }

    /** Empty for a number that no transport here has. */
    public static Optional<TransportClass> numbered(int number) {
        return Arrays.stream(values())
                .filter(transport -> transport.number() == number)
                .findFirst();
    }

    /** Its requests are answered, and sent again where they are not. */
    public boolean isAnswered() {
        return answered;
    }
}
