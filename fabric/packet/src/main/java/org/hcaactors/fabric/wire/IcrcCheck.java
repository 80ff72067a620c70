// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

/**
 * Result of checking the ICRC of a UDP datagram, whose receiver does not know the identification of its IPv4 header (rule
 * wire-identification).
 */
public sealed interface IcrcCheck {
    /** The ICRC is correct for identification 0, which Linux sends on an unconnected socket with "don't fragment". */
    record Verified() implements IcrcCheck {}

    /**
     * The ICRC is correct for another identification. That checks only 16 of its 32 bits: damaged bytes at random pass with a
     * probability of 1 in 65,536.
     *
     * @param identification 1 to 65,535
     */
    record VerifiedWithIdentification(int identification) implements IcrcCheck {}

    /**
     * The ICRC is wrong for every identification.
     *
     * @param difference xor of the received ICRC and the one for identification 0, first on the wire in the high byte
     */
    record Bad(int difference) implements IcrcCheck {}
}
