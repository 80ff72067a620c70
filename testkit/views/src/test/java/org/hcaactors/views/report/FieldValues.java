// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hcaactors.fabric.packet.PortAddress;

/** Values of fields, as the inspector reads them from a frame, and of what was encoded. */
final class FieldValues {
    private FieldValues() {}

    /** Reads a block of fields at an offset. */
    static List<BigInteger> of(FieldBlock block, byte[] frame, int at) {
        BigInteger whole = new BigInteger(1, Arrays.copyOfRange(frame, at, at + block.lengthBytes()));
        List<BigInteger> values = new ArrayList<>();
        int left = block.lengthBytes() * 8;
        for (FieldBlock.Field field : block.fields()) {
            left -= field.bits();
            values.add(whole.shiftRight(left)
                    .and(BigInteger.ONE.shiftLeft(field.bits()).subtract(BigInteger.ONE)));
        }
        return values;
    }

    static BigInteger number(int value) {
        return BigInteger.valueOf(Integer.toUnsignedLong(value));
    }

    static BigInteger number(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    static BigInteger number(boolean flag) {
        return number(flag ? 1 : 0);
    }

    static BigInteger address(PortAddress address) {
        return number(address.high()).shiftLeft(64).or(number(address.low()));
    }
}
