// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.wire;

import java.util.OptionalInt;

/**
 * Finds the IPv4 identification from an ICRC (rule wire-identification). CRC-32 is linear over GF(2): another identification
 * changes the result by its bits, as a polynomial, times a power of x that depends on the number of bytes behind it. Dividing
 * the difference by that power gives the identification; if the quotient has a term above x^15, there is none.
 *
 * <p>Polynomials are in the bit order of CRC-32: the highest bit is the coefficient of x^0.
 */
final class IdentificationSolver {
    private static final int POLYNOMIAL = 0xEDB8_8320;
    private static final int ONE = 0x8000_0000;
    /** 1/x: multiplied by x, it gives 1. */
    private static final int INVERSE_OF_X = 0xDB71_0641;
    /** Terms that an identification, of 16 bits, does not have. */
    private static final int ABOVE_16_BITS = 0xFFFF;

    private IdentificationSolver() {}

    /**
     * Returns the identification, 0 if there is no difference; empty if no identification makes that difference.
     *
     * @param difference xor of two CRC-32 values, one computed with identification 0
     * @param bytesBehind covered bytes behind the identification
     */
    static OptionalInt solve(int difference, int bytesBehind) {
        int quotient = times(difference, power(INVERSE_OF_X, Integer.SIZE + Byte.SIZE * bytesBehind));
        if ((quotient & ABOVE_16_BITS) != 0) {
            return OptionalInt.empty();
        }
        // The high byte is sent first, so its terms are higher; in each byte the lowest bit is sent first.
        return OptionalInt.of((quotient >>> 16 & 0xFF) << 8 | quotient >>> 24);
    }

    private static int power(int base, int exponent) {
        int result = ONE;
        int square = base;
        for (int left = exponent; left != 0; left >>>= 1) {
            if ((left & 1) != 0) {
                result = times(result, square);
            }
            square = times(square, square);
        }
        return result;
    }

    /** Returns the product modulo the polynomial of CRC-32. */
    private static int times(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int left = a; left != 0; left <<= 1) {
            product ^= shifted & left >> 31;
            shifted = shifted >>> 1 ^ POLYNOMIAL & -(shifted & 1);
        }
        return product;
    }
}
