// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.soak;

import java.util.Arrays;
import java.util.HexFormat;

/** Describes a difference of bytes. */
final class ByteDiff {
    private static final int SHOWN = 16;

    private ByteDiff() {}

    static String at(byte[] bytes, int index) {
        return HexFormat.ofDelimiter(" ")
                .formatHex(Arrays.copyOfRange(bytes, index, Math.min(bytes.length, index + SHOWN)));
    }
}
