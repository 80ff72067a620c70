// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import org.hcaactors.adapter.number.FirstNumbers;
import org.hcaactors.adapter.number.NumberSpace;

/**
 * Hands out memory keys: index in the upper 24 bits, variant in the low 8 (rule memory-key-layout). Every round through the
 * indices has the next variant, so a key comes back, and a stale one is taken for a living one, after 2^32 registrations
 * (rule memory-key-rests).
 */
public final class KeySpace {
    private final NumberSpace indices;
    private final int firstVariant;

    /** @param first key to be handed out, as {@link FirstNumbers#key()} */
    public KeySpace(int first) {
        indices = new NumberSpace("memory keys", FirstNumbers.MIN_INDEX, FirstNumbers.MAX_INDEX, first >>> Byte.SIZE);
        firstVariant = first & 0xFF;
    }

    /** VerbsException (ENOMEM) while all indices are in use. */
    public int allocate() {
        int index = indices.take();
        return index << Byte.SIZE | firstVariant + indices.laps() & 0xFF;
    }

    public void release(int key) {
        indices.free(key >>> Byte.SIZE);
    }

    /** How many keys are out. */
    public int inUse() {
        return indices.inUse();
    }
}
