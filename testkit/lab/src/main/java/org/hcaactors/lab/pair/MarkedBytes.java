// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that say whose they are: they begin with the number of their message, and the rest follows from it. */
public final class MarkedBytes {
    /** The shortest that say it. */
    public static final int MIN_BYTES = Long.BYTES;

    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

    private MarkedBytes() {}

    /** The bytes of message {@code number}, as many as asked for. */
    public static byte[] of(long number, int lengthBytes) {
        ByteBuffer words = ByteBuffer.allocate(Math.ceilDiv(lengthBytes, Long.BYTES) * Long.BYTES);
        for (long i = 0; words.hasRemaining(); i++) {
            words.putLong(i == 0 ? number : number * ODD + i);
        }
        return Arrays.copyOf(words.array(), lengthBytes);
    }

    /** Which message these bytes begin; at least {@link #MIN_BYTES}. */
    public static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }
}
