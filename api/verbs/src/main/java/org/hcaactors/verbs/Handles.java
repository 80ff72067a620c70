// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Objects by the 64-bit handles that the C side knows them by. A handle is a number from 1 in its low 32 bits, below a generation
 * that differs each time the number is used, so that a handle whose object is gone never names another one. 0 is no handle.
 *
 * <p>Thread-safe. A look-up takes no lock.
 */
final class Handles {
    /** Maximum number of objects at a time; beyond it ENOMEM. */
    static final int MAX = 1 << 24;

    private static final int FIRST_SIZE = 256;

    private record Slot(int generation, @Nullable Object object) {}

    private static final Slot EMPTY = new Slot(0, null);

    // A thread that sees an older array sees no newer handle either: the program passed the handle on to it.
    private volatile Slot[] slots = empty(FIRST_SIZE);
    private final List<Integer> free = new ArrayList<>();
    private int used;

    private static Slot[] empty(int size) {
        Slot[] fresh = new Slot[size];
        Arrays.fill(fresh, EMPTY);
        return fresh;
    }

    /**
     * Adds an object.
     *
     * @return its handle
     */
    synchronized long add(Object object) {
        int index = free.isEmpty() ? nextUnused() : free.removeLast();
        Slot slot = new Slot(slots[index].generation + 1, object);
        slots[index] = slot;
        return handle(index, slot);
    }

    private int nextUnused() {
        if (used == MAX) {
            throw new VerbsException(Errno.ENOMEM, "the program has " + MAX + " objects; no more are allowed");
        }
        if (used == slots.length) {
            Slot[] larger = Arrays.copyOf(slots, 2 * used);
            Arrays.fill(larger, used, larger.length, EMPTY);
            slots = larger;
        }
        return used++;
    }

    private static long handle(int index, Slot slot) {
        return (long) slot.generation << Integer.SIZE | index + 1;
    }

    /** Returns the object of a handle; EINVAL if there is none, or one of another kind. */
    <T> T get(long handle, Class<T> kind) {
        Slot[] all = slots;
        int index = (int) handle - 1;
        if (index >= 0 && index < all.length) {
            Slot slot = all[index];
            if (slot.generation == (int) (handle >>> Integer.SIZE) && kind.isInstance(slot.object)) {
                return kind.cast(slot.object);
            }
        }
        throw VerbsException.invalid("handle 0x%x names no %s".formatted(handle, kind.getSimpleName()));
    }

    /** Removes an object; the handle is invalid from now on. No effect if it is already. */
    synchronized void remove(long handle) {
        int index = (int) handle - 1;
        if (index >= 0 && index < used && handle(index, slots[index]) == handle) {
            clear(index);
        }
    }

    /** Removes all objects to which a condition applies. */
    synchronized void removeIf(Predicate<Object> condition) {
        for (int index = 0; index < used; index++) {
            Object object = slots[index].object;
            if (object != null && condition.test(object)) {
                clear(index);
            }
        }
    }

    private void clear(int index) {
        if (slots[index].object != null) {
            slots[index] = new Slot(slots[index].generation, null);
            free.add(index);
        }
    }
}
