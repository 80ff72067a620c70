// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.List;

/**
 * A scatter/gather element ({@code ibv_sge}).
 *
 * <p>Immutable.
 *
 * @param lkey local key of the region that covers the range
 * @param address first address, in the process's address space
 * @param lengthBytes 0 to 2^31-1; an element of length 0 is skipped
 */
public record LocalSlice(int lkey, long address, int lengthBytes) {
    public LocalSlice {
        if (lengthBytes < 0) {
            throw new IllegalArgumentException("the length is " + lengthBytes + " bytes; 0 to 2^31-1 is allowed");
        }
    }

    /** Total length of the elements of a list. */
    public static long lengthBytes(List<LocalSlice> elements) {
        long sum = 0;
        for (int i = 0; i < elements.size(); i++) {
            sum += elements.get(i).lengthBytes;
        }
        return sum;
    }
}
