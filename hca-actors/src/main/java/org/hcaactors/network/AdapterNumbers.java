// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import java.util.BitSet;

/** Numbers of a network's adapters, from which their addresses are made. One that was freed is given again as late as possible. Not thread-safe. */
final class AdapterNumbers {
    private final int max;
    private final BitSet taken = new BitSet();
    private int latest;

    /** @param max the greatest number; the least is 1 */
    AdapterNumbers(int max) {
        this.max = max;
    }

    /** Returns the next free number; there must be one. */
    int next() {
        int above = taken.nextClearBit(latest + 1);
        return above <= max ? above : taken.nextClearBit(1);
    }

    void take(int number) {
        taken.set(number);
        latest = number;
    }

    void free(int number) {
        taken.clear(number);
    }
}
