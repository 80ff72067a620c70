// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

/** Bits 7 to 5 of the opcode (IBA 9.2.1). */
public enum TransportClass {
    RC(0x00),
    UC(0x20),
    UD(0x60),
    CNP(0x80);

    private final int bits;

    TransportClass(int bits) {
        this.bits = bits;
    }

    public int bits() {
        return bits;
    }
}
