// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.util.List;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * The ring of a completion queue, as a machine. An entry keeps its place from the moment it is written until it is
 * polled, or until a subscriber is handed it: also while it is on its way there (rule completion-place). That is what
 * makes a slow subscriber overflow the ring, and what lets entries come back when a subscription is cancelled.
 *
 * <p>Entries of a purged feed stay where they are and count no more; they go when they come to the head, or all at once
 * when they are more than the others. So each costs its share once, however many queue pairs are purged.
 */
final class CompletionRing {
    private final GrantedEntries underway = new GrantedEntries();
    private int capacity;
    private @Nullable Cqe[] ring = new Cqe[0];
    private int head;
    private int size;
    private int solicited;
    /** Purged entries between head and tail. */
    private int dead;

    CompletionRing(int capacity) {
        this.capacity = capacity;
    }

    int size() {
        return size;
    }

    /** Of these, how many an arm for solicited entries means. */
    int solicited() {
        return solicited;
    }

    /** Entries that can still be written. */
    int room() {
        return capacity - size - underway.size();
    }

    int capacity() {
        return capacity;
    }

    /** Places in memory that hold an entry, purged ones too. */
    int length() {
        return size + dead;
    }

    /** Entries on their way to the subscriber. */
    int underway() {
        return underway.size();
    }

    /** False, and nothing changed, if more entries are there or on their way (rule completion-resize). */
    @MutationPoint("completion-ring.resize")
    boolean resize(int entries) {
        if (size + underway.size() > entries) {
            return false;
        }
        capacity = entries;
        return true;
    }

    /** False, and nothing written, if the ring is full. */
    boolean push(Cqe cqe) {
        if (room() == 0) {
            return false;
        }
        makeSpace();
        ring[head + length() & ring.length - 1] = cqe;
        entered(cqe);
        return true;
    }

    /** Takes up to {@code max} entries out, oldest first; their places are free. */
    Cqe[] poll(int max) {
        Cqe[] taken = new Cqe[Math.min(max, size)];
        int count = 0;
        while (count < taken.length) {
            Cqe cqe = removeHead();
            if (cqe.workQueue().isPurged()) {
                dead--;
            } else {
                taken[count++] = cqe;
                left(cqe);
            }
        }
        return taken;
    }

    /** Takes up to {@code max} entries out, oldest first; each keeps its place until it is {@link #handedOut}. */
    CompletionGrant grant(int max) {
        CompletionGrant grant = new RingGrant(poll(max));
        underway.granted(grant);
        return grant;
    }

    /** Counts a batch as on its way that never stood in the ring, because the subscriber waits for it already. */
    void passBy(CompletionGrant batch) {
        underway.granted(batch);
    }

    /** The subscriber was handed that many more: their places are free. */
    void handedOut(int entries) {
        underway.handedOut(entries);
    }

    /**
     * The subscriber is gone: what it was not handed stands in front again, where it was. What was purged meanwhile does not.
     *
     * @return how many stand there again
     */
    @MutationPoint("completion-ring.give-back")
    int giveBack() {
        int before = size;
        List<Cqe> back = underway.takeBack();
        for (int i = back.size() - 1; i >= 0; i--) {
            Cqe cqe = back.get(i);
            if (cqe.workQueue().isPurged()) {
                cqe.free();
            } else {
                makeSpace();
                head = head - 1 & ring.length - 1;
                ring[head] = cqe;
                entered(cqe);
            }
        }
        return size - before;
    }

    /**
     * Takes out what came from there, without delivering it; its slots are free.
     *
     * @return how many that were
     */
    @MutationPoint("completion-ring.purge")
    int purge(WorkQueueFeed workQueue) {
        int purged = workQueue.entries();
        size -= purged;
        solicited -= workQueue.solicited();
        dead += purged;
        workQueue.purge();
        if (dead > size) {
            sweep();
        }
        return purged;
    }

    private void entered(Cqe cqe) {
        size++;
        solicited += cqe.solicited() ? 1 : 0;
        cqe.workQueue().entered(cqe);
    }

    private void left(Cqe cqe) {
        size--;
        solicited -= cqe.solicited() ? 1 : 0;
        cqe.workQueue().left(cqe);
    }

    /** Only while there is one, dead or not. */
    private Cqe removeHead() {
        Cqe cqe = ring[head];
        if (cqe == null) {
            throw new IllegalStateException("the ring is empty");
        }
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        return cqe;
    }

    /** Closes the gaps. */
    private void sweep() {
        int length = length();
        int kept = 0;
        for (int i = 0; i < length; i++) {
            int from = head + i & ring.length - 1;
            Cqe cqe = ring[from];
            ring[from] = null;
            if (cqe != null && !cqe.workQueue().isPurged()) {
                ring[head + kept++ & ring.length - 1] = cqe;
            }
        }
        dead = 0;
    }

    private void makeSpace() {
        int length = length();
        if (length < ring.length) {
            return;
        }
        @Nullable Cqe[] larger = new Cqe[Math.max(16, ring.length * 2)];
        for (int i = 0; i < length; i++) {
            larger[i] = ring[head + i & ring.length - 1];
        }
        ring = larger;
        head = 0;
    }
}
