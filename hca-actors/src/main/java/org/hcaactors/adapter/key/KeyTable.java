// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * What is behind each memory key of an adapter, as a machine. A key is found from its registration until it is withdrawn, and
 * given out again some time after it was released: what still uses it in between finds nothing (rule memory-key-rests).
 *
 * @param <T> what is behind a key
 */
public final class KeyTable<T> {
    private final KeySpace keys;
    private final Map<Integer, T> behind = new LinkedHashMap<>();

    /** @param first key to be handed out */
    public KeyTable(int first) {
        keys = new KeySpace(first);
    }

    /**
     * Registers what is made for the key that this returns. VerbsException (ENOMEM) while all are in use; where making throws,
     * the key is free.
     */
    public int register(IntFunction<T> make) {
        int key = keys.allocate();
        try {
            behind.put(key, make.apply(key));
            return key;
        } catch (RuntimeException | Error failed) {
            keys.release(key);
            throw failed;
        }
    }

    /** Empty for a key that was never registered, or is withdrawn. */
    public Optional<T> find(int key) {
        return Optional.ofNullable(behind.get(key));
    }

    /** Nobody finds it any more; it still counts as in use. Returns what was behind it. */
    public Optional<T> withdraw(int key) {
        return Optional.ofNullable(behind.remove(key));
    }

    /** Nobody uses what was behind it any more: the key may come back. */
    public void release(int key) {
        keys.release(key);
    }

    /** Those that are found, oldest first. */
    public List<Integer> known() {
        return List.copyOf(behind.keySet());
    }

    /** How many can't be given out. */
    public int inUse() {
        return keys.inUse();
    }
}
