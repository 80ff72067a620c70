package org.hcaactors.adapter.completion;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The ring of a completion queue, as a machine. An entry keeps its place from the moment it is written until the
 * subscriber has taken it, also while it is on its way there: that is what makes a slow subscriber overflow the ring.
 */
final class CompletionRing {
    private int capacity;
    private @Nullable Cqe[] ring = new Cqe[0];
    private int head;
    private int size;
    private int underway;

    CompletionRing(int capacity) {
        this.capacity = capacity;
    }

    int size() {
        return size;
    }

    /** Entries that can still be written. */
    int room() {
        return capacity - size - underway;
    }

    int capacity() {
        return capacity;
    }

    /** Entries on their way to the subscriber, or with it. */
    int underway() {
        return underway;
    }

    /** False, and nothing changed, if more entries are there or on their way. */
    boolean resize(int entries) {
        if (size + underway > entries) {
            return false;
        }
        capacity = entries;
        return true;
    }

    /** The oldest entry gives way to a newer one, and its slots are free; null if none stands in the ring. */
    @Nullable
    Cqe dropOldest() {
        if (size == 0) {
            return null;
        }
        Cqe[] oldest = poll(1);
        underway--;
        Cqe.free(oldest);
        return oldest[0];
    }

    /** False, and nothing written, if the ring is full. */
    boolean push(Cqe cqe) {
        if (room() == 0) {
            return false;
        }
        if (size == ring.length) {
            grow();
        }
        ring[(head + size) & ring.length - 1] = cqe;
        size++;
        return true;
    }

    /** Takes up to {@code most} entries out, oldest first; they stay counted until {@link #freed}. */
    @SuppressWarnings("NullAway") // slots inside head and size are never null
    Cqe[] poll(int most) {
        Cqe[] taken = new Cqe[Math.min(most, size)];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = ring[head];
            ring[head] = null;
            head = head + 1 & ring.length - 1;
        }
        size -= taken.length;
        underway += taken.length;
        return taken;
    }

    /** Counts a batch as on its way that never stood in the ring, because the subscriber waits for it already. */
    void passBy(int entries) {
        underway += entries;
    }

    void freed(int entries) {
        underway -= entries;
    }

    void freedAll() {
        underway = 0;
    }

    /** Puts entries that were not delivered back in front, in their order. */
    void giveBack(List<Cqe> undelivered) {
        underway -= undelivered.size();
        for (int i = undelivered.size() - 1; i >= 0; i--) {
            if (size == ring.length) {
                grow();
            }
            head = head - 1 & ring.length - 1;
            ring[head] = undelivered.get(i);
            size++;
        }
    }

    /** Takes out what matches, without delivering it; its slots are free. */
    @SuppressWarnings("NullAway") // slots inside head and size are never null
    void purge(Predicate<Cqe> matching) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            Cqe cqe = ring[head + i & ring.length - 1];
            if (matching.test(cqe)) {
                cqe.owner().release(cqe.slots());
            } else {
                ring[head + kept++ & ring.length - 1] = cqe;
            }
        }
        for (int i = kept; i < size; i++) {
            ring[head + i & ring.length - 1] = null;
        }
        size = kept;
    }

    private void grow() {
        @Nullable Cqe[] larger = new Cqe[Math.max(16, ring.length * 2)];
        for (int i = 0; i < size; i++) {
            larger[i] = ring[head + i & ring.length - 1];
        }
        ring = larger;
        head = 0;
    }
}
