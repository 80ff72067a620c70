// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Table of an adapter's memory keys. An entry is found by the key's index from registration until it is removed. The index is
 * reused only some time later: until then a stale use finds nothing (rule memory-key-rests). The entry itself checks the
 * variant.
 *
 * @param <T> type of the entries
 */
public final class KeyTable<T> {
    private final KeySpace keys;
    private final Map<Integer, T> entries = new LinkedHashMap<>();

    /** @param first first key to be allocated */
    public KeyTable(int first) {
        keys = new KeySpace(first);
    }

    /**
     * Registers an entry that is made for the returned key. VerbsException (ENOMEM) if all keys are in use; if making the entry
     * throws, the key is free again.
     */
    public int register(IntFunction<T> make) {
        int key = keys.allocate();
        try {
            entries.put(index(key), make.apply(key));
            return key;
        } catch (RuntimeException | Error failed) {
            keys.release(key);
            throw failed;
        }
    }

    private static int index(int key) {
        return key >>> Byte.SIZE;
    }

    /** Returns the entry; empty if none with that index was registered, or it was removed. */
    public Optional<T> find(int key) {
        return Optional.ofNullable(entries.get(index(key)));
    }

    /** Removes an entry that is no longer used, and returns it; a repeated call does nothing. */
    public Optional<T> remove(int key) {
        Optional<T> removed = Optional.ofNullable(entries.remove(index(key)));
        removed.ifPresent(entry -> keys.release(key));
        return removed;
    }

    /** Returns all entries, oldest first. */
    public List<T> all() {
        return List.copyOf(entries.values());
    }

    /** Returns the indices of all entries, oldest first. */
    public List<Integer> indices() {
        return List.copyOf(entries.keySet());
    }

    /** Number of keys in use. */
    public int inUse() {
        return keys.inUse();
    }
}
