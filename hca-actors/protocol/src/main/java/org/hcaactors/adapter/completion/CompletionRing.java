// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Ring of a completion queue. An entry occupies a slot from the time it is written until it is polled or received by a
 * subscriber, also while it is on its way (rule completion-place). Therefore a slow subscriber overflows the ring, and entries
 * return to the ring when a subscription is cancelled.
 *
 * <p>Entries of a purged feed stay in the array and no longer count; they are removed when they reach the head, or all at once
 * when they outnumber the others. So the cost of an entry is constant, however many queue pairs are purged.
 *
 * <p>Any thread polls and counts solicited entries; each such call, and each that writes, holds a short lock. All others are the
 * queue's actor's alone, which also has the capacity and the entries on their way, and takes no lock for a batch that its
 * subscriber waits for.
 */
final class CompletionRing {
    private static final Cqe[] NONE = {};

    private final GrantedEntries underway = new GrantedEntries();
    private int capacity;
    private @Nullable Cqe[] ring = new Cqe[0];
    private int head;
    private int size;
    /** The size, for those who look without the lock: the actor never sees too few entries, since it alone adds any. */
    private final AtomicInteger available = new AtomicInteger();

    private int solicited;
    /** Number of purged entries between head and tail. */
    private int dead;

    CompletionRing(int capacity) {
        this.capacity = capacity;
    }

    int size() {
        return available.get();
    }

    /** Number of entries that an arm for solicited entries counts. */
    synchronized int solicited() {
        return solicited;
    }

    /** Number of entries that can still be written. */
    int room() {
        return capacity - available.get() - underway.size();
    }

    int capacity() {
        return capacity;
    }

    /** Number of array elements in use, purged entries included. */
    int length() {
        return size + dead;
    }

    /** Number of entries on their way to the subscriber. */
    int underway() {
        return underway.size();
    }

    /**
     * Resizes the ring; returns false, and changes nothing, if more entries are in it or on their way (rule completion-resize).
     */
    @MutationPoint("completion-ring.resize")
    boolean resize(int entries) {
        if (available.get() + underway.size() > entries) {
            return false;
        }
        capacity = entries;
        return true;
    }

    /** Adds an entry; returns false, and writes nothing, if the ring is full. */
    synchronized boolean push(Cqe cqe) {
        if (room() == 0) {
            return false;
        }
        makeSpace();
        ring[head + length() & ring.length - 1] = cqe;
        entered(cqe);
        return true;
    }

    /** Removes up to {@code max} entries, oldest first, and frees their places. */
    synchronized Cqe[] poll(int max) {
        Cqe[] taken = new Cqe[Math.min(max, size)];
        poll(taken, taken.length);
        return taken;
    }

    /** Removes the oldest entry if the ring is full, in one step: pollers make room, too. */
    synchronized Cqe[] dropOldestIfFull() {
        return room() == 0 ? poll(1) : NONE;
    }

    /** Removes entries, oldest first, and frees their places; returns their number. */
    synchronized int poll(@Nullable Cqe[] taken, int max) {
        int count = 0;
        while (count < max && size > 0) {
            Cqe cqe = removeHead();
            if (cqe.workQueue().isPurged()) {
                dead--;
            } else {
                taken[count++] = cqe;
                removed(cqe);
            }
        }
        return count;
    }

    /** Removes up to {@code max} entries, oldest first; each occupies its slot until {@link #delivered}. */
    synchronized CompletionGrant grant(int max) {
        CompletionGrant grant = new RingGrant(poll(max));
        underway.granted(grant);
        return grant;
    }

    /** Counts a batch as on its way without entering the ring, since the subscriber already waits for it. */
    void passBy(CompletionGrant batch) {
        underway.granted(batch);
    }

    /** The subscriber has received the given number of further entries: frees their slots. */
    void delivered(int entries) {
        underway.delivered(entries);
    }

    /**
     * Puts the entries that the subscriber did not receive back at the head, without those purged meanwhile.
     *
     * @return number of entries put back
     */
    @MutationPoint("completion-ring.give-back")
    synchronized int returnUndelivered() {
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
     * Removes the entries of that feed without delivering them, and frees their slots.
     *
     * @return number of entries removed
     */
    @MutationPoint("completion-ring.purge")
    synchronized int purge(WorkQueueFeed workQueue) {
        int purged = workQueue.entries();
        size -= purged;
        available.lazySet(size);
        solicited -= workQueue.solicited();
        dead += purged;
        workQueue.purge();
        if (dead > size) {
            sweep();
        }
        return purged;
    }

    /** True if a poll would find an entry; without the lock, so that a thread that polls an empty queue delays no writer. */
    boolean hasEntries() {
        return available.get() > 0;
    }

    private void entered(Cqe cqe) {
        available.lazySet(++size);
        solicited += cqe.solicited() ? 1 : 0;
        cqe.workQueue().entered(cqe);
    }

    private void removed(Cqe cqe) {
        available.lazySet(--size);
        solicited -= cqe.solicited() ? 1 : 0;
        cqe.workQueue().removed(cqe);
    }

    /** Removes the head entry, purged or not; call it only if there is one. */
    private Cqe removeHead() {
        Cqe cqe = ring[head];
        if (cqe == null) {
            throw new IllegalStateException("the ring is empty");
        }
        ring[head] = null;
        head = head + 1 & ring.length - 1;
        return cqe;
    }

    /** Removes all purged entries. */
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
