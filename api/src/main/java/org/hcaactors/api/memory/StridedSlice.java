// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

/**
 * Bytes that lie in memory at even distances ({@code mlx5dv_mr_interleaved}): {@code lengthBytes} from the address, then,
 * {@code skipBytes} behind their end, as many again, and so on as often as the layout repeats.
 *
 * <p>Immutable.
 *
 * @param lkey key of what covers them
 * @param address of the first
 * @param lengthBytes 0 to 2^31-1 each time; one of length 0 is skipped
 * @param skipBytes {@code -lengthBytes} to 2^31-1, left out after each time: the same bytes come again where it is
 *     {@code -lengthBytes}
 */
public record StridedSlice(int lkey, long address, int lengthBytes, int skipBytes) {
    public StridedSlice {
        if (lengthBytes < 0 || skipBytes < -lengthBytes) {
            throw new IllegalArgumentException("length " + lengthBytes + " bytes, skipping " + skipBytes
                    + "; a length of 0 to 2^31-1 is allowed, and a stride, the sum of both, of 0 and more");
        }
    }

    /**
     * From the first byte of one time to the first byte of the next, as {@code ibv_exp} counts it.
     *
     * @param strideBytes 0 to 2^31-1
     */
    public static StridedSlice ofStride(int lkey, long address, int lengthBytes, int strideBytes) {
        return new StridedSlice(lkey, address, lengthBytes, Math.subtractExact(strideBytes, lengthBytes));
    }

    /** From the first byte of one time to the first byte of the next. */
    public long strideBytes() {
        return (long) lengthBytes + skipBytes;
    }
}
