// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Message payloads that identify themselves: they begin with the message number, and the rest is derived from it. */
public final class MarkedBytes {
    /** Minimum length that holds the number. */
    public static final int MIN_BYTES = Long.BYTES;

    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

    private MarkedBytes() {}

    /** Returns the bytes of message {@code number}, of that length. */
    public static byte[] of(long number, int lengthBytes) {
        ByteBuffer words = ByteBuffer.allocate(Math.ceilDiv(lengthBytes, Long.BYTES) * Long.BYTES);
        for (long i = 0; words.hasRemaining(); i++) {
            words.putLong(i == 0 ? number : number * ODD + i);
        }
        return Arrays.copyOf(words.array(), lengthBytes);
    }

    /** Returns the message number at the beginning of at least {@link #MIN_BYTES} bytes. */
    public static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }
}
