package org.hcaactors.lab.soak;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that tell messages apart: made from the message's number, with which they begin. */
final class Payload {
    /** The shortest that says whose it is. */
    static final int LEAST_BYTES = Long.BYTES;

    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

    private Payload() {}

    static byte[] of(long number, int lengthBytes) {
        ByteBuffer words = ByteBuffer.allocate((lengthBytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES);
        long word = number;
        while (words.hasRemaining()) {
            words.putLong(word);
            word = (word ^ word >>> 29) * STEP + number;
        }
        return Arrays.copyOf(words.array(), lengthBytes);
    }

    /** Which message these bytes begin; at least {@link #LEAST_BYTES}. */
    static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }
}
