// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/**
 * Blocks of bytes at equal distances in memory ({@code mlx5dv_mr_interleaved}): {@code lengthBytes} bytes from the address,
 * then a gap of {@code skipBytes}, then the next block, as often as the layout repeats.
 *
 * <p>Immutable.
 *
 * @param lkey key of the memory
 * @param address address of the first block
 * @param lengthBytes block length, 0 to 2^31-1; a slice of length 0 is skipped
 * @param skipBytes gap after each block, {@code -lengthBytes} to 2^31-1; with {@code -lengthBytes} every block is the same
 *     bytes
 */
public record StridedSlice(int lkey, long address, int lengthBytes, int skipBytes) {
    public StridedSlice {
        if (lengthBytes < 0 || skipBytes < -lengthBytes) {
            throw new IllegalArgumentException("the length is " + lengthBytes + " bytes and the skip " + skipBytes
                    + " bytes; a length of 0 to 2^31-1 and a sum of both of 0 and more are allowed");
        }
    }

    /**
     * A slice with the distance between the first bytes of consecutive blocks, as in {@code ibv_exp}.
     *
     * @param strideBytes 0 to 2^31-1
     */
    public static StridedSlice ofStride(int lkey, long address, int lengthBytes, int strideBytes) {
        return new StridedSlice(lkey, address, lengthBytes, Math.subtractExact(strideBytes, lengthBytes));
    }

    /** Distance between the first bytes of consecutive blocks. */
    public long strideBytes() {
        return (long) lengthBytes + skipBytes;
    }
}
