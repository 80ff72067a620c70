// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * What is behind each memory key of an adapter, as a machine. It is found by the key's index from its registration until it is
 * removed. The index comes back some time after that: what still uses it in between finds nothing (rule memory-key-rests). Which
 * variant is right, what is behind it knows.
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

    /** Empty where none with that index was registered, or it is removed. */
    public Optional<T> find(int key) {
        return Optional.ofNullable(behind.get(index(key)));
    }

    /** Nobody uses what was behind it any more, and nobody finds it. Returns what that was; again does nothing. */
    public Optional<T> remove(int key) {
        Optional<T> gone = Optional.ofNullable(behind.remove(index(key)));
        gone.ifPresent(free -> keys.release(key));
        return gone;
    }

    /** What is behind each of them, oldest first. */
    public List<T> all() {
        return List.copyOf(behind.values());
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
