package org.hcaactors.adapter.memory;

import java.util.ArrayDeque;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/**
 * Hands out memory keys: index in the upper 24 bits, variant in the low 8 (memory 1.4). A freed index is given out again
 * with the next variant, so a stale key is told from a living one; freed indices wait in line, so that happens late.
 */
public final class KeySpace {
    /** Index 0 stays free: key 0x100 and below never name anything. */
    private static final int FIRST_INDEX = 2;

    private static final int MAX_INDEX = 0xFF_FFFF;
    private static final int FREE_BEFORE_REUSE = 64;

    private final int maxIndex;
    private final ArrayDeque<Integer> free = new ArrayDeque<>();
    private int next = FIRST_INDEX;

    public KeySpace() {
        this(MAX_INDEX);
    }

    KeySpace(int maxIndex) {
        this.maxIndex = maxIndex;
    }

    /** VerbsException (ENOMEM) when all 2^24 indices are in use. */
    public int allocate() {
        if (free.size() > FREE_BEFORE_REUSE || next > maxIndex) {
            Integer key = free.poll();
            if (key == null) {
                throw new VerbsException(Errno.ENOMEM, "every memory key up to index " + maxIndex + " is in use");
            }
            return nextVariant(key);
        }
        return next++ << 8;
    }

    public void release(int key) {
        free.add(key);
    }

    /** As ibv_inc_rkey: the variant wraps without carry. */
    static int nextVariant(int key) {
        return key & 0xFFFF_FF00 | key + 1 & 0xFF;
    }
}
