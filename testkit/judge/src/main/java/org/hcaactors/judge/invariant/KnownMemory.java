// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hcaactors.api.work.AtomicValue;

/**
 * Known contents of a piece of memory that atomics change, on a little-endian host.
 *
 * @param halves known values by place, in units of four bytes
 */
record KnownMemory(Map<Integer, Integer> halves) {
    static final KnownMemory UNKNOWN = new KnownMemory(Map.of());

    /** Returns the contents after the given operation; empty if the operation's result contradicts the known contents. */
    Optional<KnownMemory> after(AtomicHistory.Operation next) {
        Optional<AtomicValue> current = value(next.where(), next.sizeBytes());
        Optional<AtomicValue> before = next.result().or(() -> current);
        if (before.isEmpty()) {
            return Optional.of(with(next.where(), next.sizeBytes(), Optional.empty()));
        }
        return agrees(next.where(), before.get())
                ? Optional.of(with(
                        next.where(),
                        next.sizeBytes(),
                        before.map(found -> next.change().apply(found))))
                : Optional.empty();
    }

    private boolean agrees(int where, AtomicValue value) {
        for (int i = 0; i < value.sizeBytes() / Integer.BYTES; i++) {
            Integer known = halves.get(where + i);
            if (known != null && known != half(value, i)) {
                return false;
            }
        }
        return true;
    }

    private Optional<AtomicValue> value(int where, int sizeBytes) {
        for (int i = 0; i < sizeBytes / Integer.BYTES; i++) {
            if (!halves.containsKey(where + i)) {
                return Optional.empty();
            }
        }
        if (sizeBytes == Integer.BYTES) {
            return Optional.of(AtomicValue.ofInt(half(where)));
        }
        long[] words = new long[sizeBytes / Long.BYTES];
        for (int i = 0; i < words.length; i++) {
            long low = Integer.toUnsignedLong(half(where + 2 * i));
            words[i] = (long) half(where + 2 * i + 1) << Integer.SIZE | low;
        }
        return Optional.of(AtomicValue.ofWords(words));
    }

    private int half(int place) {
        return halves.getOrDefault(place, 0);
    }

    private KnownMemory with(int where, int sizeBytes, Optional<AtomicValue> value) {
        Map<Integer, Integer> changed = new TreeMap<>(halves);
        for (int i = 0; i < sizeBytes / Integer.BYTES; i++) {
            if (value.isPresent()) {
                changed.put(where + i, half(value.get(), i));
            } else {
                changed.remove(where + i);
            }
        }
        return new KnownMemory(changed);
    }

    /** Returns the four bytes at the given place of a value. */
    private static int half(AtomicValue value, int place) {
        long word = value.word(place / 2);
        return (int) (place % 2 == 0 ? word : word >>> Integer.SIZE);
    }
}
