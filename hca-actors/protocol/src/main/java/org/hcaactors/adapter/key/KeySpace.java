// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.adapter.number.NumberSpace;

/**
 * Allocator of memory keys: index in the upper 24 bits, variant in the low 8 (rule memory-key-layout). Each pass over the
 * indices uses the next variant, so that a key recurs, and a stale one is taken for a valid one, only after 2^32 registrations
 * (rule memory-key-rests).
 */
public final class KeySpace {
    private final NumberSpace indices;
    private final int firstVariant;

    /** @param first first key, as {@link FirstNumbers#key()} */
    public KeySpace(int first) {
        indices = new NumberSpace("memory keys", FirstNumbers.MIN_INDEX, FirstNumbers.MAX_INDEX, first >>> Byte.SIZE);
        firstVariant = first & 0xFF;
    }

    /** Allocates a key; VerbsException (ENOMEM) if all indices are in use. */
    public int allocate() {
        int index = indices.take();
        return index << Byte.SIZE | firstVariant + indices.laps() & 0xFF;
    }

    public void release(int key) {
        indices.free(key >>> Byte.SIZE);
    }

    /** Number of keys in use. */
    public int inUse() {
        return indices.inUse();
    }
}
