// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import org.hcaactors.api.address.Gid;

/**
 * The block of 64-bit words of one call: arguments, behind them results. The constants of {@code Calls} are the indexes. Used by
 * the calling thread, during the call.
 *
 * @param address of the first word, in the memory of the C side
 */
record Block(long address) {
    long word(int index) {
        return AddressSpace.getLong(at(index));
    }

    /** Returns a word that is a number of 32 bits. */
    int number(int index) {
        return (int) word(index);
    }

    boolean isSet(int index) {
        return word(index) != 0;
    }

    void put(int index, long value) {
        AddressSpace.putLong(at(index), value);
    }

    /** Sets the words from an index to 0, up to that of {@code end}. */
    void clear(int index, int end) {
        for (int each = index; each < end; each++) {
            put(each, 0);
        }
    }

    void put(int index, boolean value) {
        put(index, value ? 1 : 0);
    }

    /** Writes a key or number of 32 bits, which has no sign. */
    void putUnsigned(int index, int value) {
        put(index, Integer.toUnsignedLong(value));
    }

    Gid gid(int high, int low) {
        return new Gid(word(high), word(low));
    }

    /** Writes text that ends before the word {@code next}. */
    void putText(int index, int next, String text) {
        AddressSpace.putText(at(index), (next - index) * Long.BYTES, text);
    }

    /** Returns the words from an index on, as a block of their own. */
    Block from(int index) {
        return new Block(at(index));
    }

    private long at(int index) {
        return address + (long) index * Long.BYTES;
    }
}
