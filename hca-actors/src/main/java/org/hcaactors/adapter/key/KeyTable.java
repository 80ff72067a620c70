// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * What is behind each memory key of an adapter, as a machine. It is found by the key's index from its registration until it is
 * withdrawn, and given out again some time after it was released: what still uses it in between finds nothing (rule
 * memory-key-rests). Which variant is right, what is behind it knows.
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
            behind.put(index(key), make.apply(key));
            return key;
        } catch (RuntimeException | Error failed) {
            keys.release(key);
            throw failed;
        }
    }

    private static int index(int key) {
        return key >>> Byte.SIZE;
    }

    /** Empty where none with that index was registered, or it is withdrawn. */
    public Optional<T> find(int key) {
        return Optional.ofNullable(behind.get(index(key)));
    }

    /** Nobody finds it any more; it still counts as in use. Returns what was behind it. */
    public Optional<T> withdraw(int key) {
        return Optional.ofNullable(behind.remove(index(key)));
    }

    /** Nobody uses what was behind it any more: the key may come back. */
    public void release(int key) {
        keys.release(key);
    }

    /** The indices of those that are found, oldest first. */
    public List<Integer> indices() {
        return List.copyOf(behind.keySet());
    }

    /** How many can't be given out. */
    public int inUse() {
        return keys.inUse();
    }
}
