// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.lease;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Leases held by one queue pair, keys requested, and keys refused in this turn. At most {@value #CAPACITY} leases are held;
 * another one displaces the least recently used (rule memory-leases-bounded).
 */
public final class LeaseCache {
    public static final int CAPACITY = 64;

    private static final int FIRST_SIZE = 4;
    private static final Lease[] NONE = {};
    private static final long[] NEVER = {};

    private record Refusal(int key, Denial reason) {}

    private Lease[] held = NONE;
    private long[] usedAt = NEVER;
    /** Both are empty nearly always, and replaced on a change. */
    private List<Integer> requested = List.of();

    private List<Refusal> refused = List.of();
    private int size;
    private @Nullable Lease newest;
    private long uses;

    /** Returns the lease on that key, if held. */
    public @Nullable Lease find(int key) {
        Lease last = newest;
        // The lease found last already has the newest stamp.
        return last != null && last.key() == key ? last : search(key);
    }

    private @Nullable Lease search(int key) {
        for (int i = 0; i < size; i++) {
            if (held[i].key() == key) {
                newest = held[i];
                usedAt[i] = ++uses;
                return newest;
            }
        }
        return null;
    }

    /** Notes that the key is needed; returns true if it must be requested now. */
    public boolean request(int key) {
        if (requested.contains(key)) {
            return false;
        }
        requested = Stream.concat(requested.stream(), Stream.of(key)).toList();
        return true;
    }

    /** Returns why the key was refused in this turn, or null. */
    public @Nullable Denial refusal(int key) {
        for (int i = 0; i < refused.size(); i++) {
            if (refused.get(i).key == key) {
                return refused.get(i).reason;
            }
        }
        return null;
    }

    /** Takes the answer to an {@link #request}; returns the lease that it displaces. */
    public Optional<Lease> granted(Lease lease) {
        requested = without(requested, lease.key());
        Optional<Lease> displaced = Optional.empty();
        if (size == CAPACITY) {
            displaced = Optional.of(removeAt(leastRecentlyUsed()));
        }
        if (size == held.length) {
            int larger = Math.min(CAPACITY, Math.max(FIRST_SIZE, 2 * size));
            held = Arrays.copyOf(held, larger);
            usedAt = Arrays.copyOf(usedAt, larger);
        }
        held[size] = lease;
        usedAt[size] = ++uses;
        newest = lease;
        size++;
        return displaced;
    }

    /** Takes a refusal, which holds until {@link #endTurn}: a later access requests the key again. */
    public void refused(int key, Denial reason) {
        requested = without(requested, key);
        refused = Stream.concat(refused.stream(), Stream.of(new Refusal(key, reason)))
                .toList();
    }

    public void endTurn() {
        refused = List.of();
    }

    /** Removes one lease; empty if it is not held any more. */
    @MutationPoint("lease-cache.revoke")
    public Optional<Lease> revoke(long grant) {
        for (int i = 0; i < size; i++) {
            if (held[i].grant() == grant) {
                return Optional.of(removeAt(i));
            }
        }
        return Optional.empty();
    }

    /** Removes all leases. Answers still on their way are taken when they arrive. */
    @MutationPoint("lease-cache.release-all")
    public List<Lease> releaseAll() {
        List<Lease> all = new ArrayList<>(size);
        while (size > 0) {
            all.add(removeAt(size - 1));
        }
        return all;
    }

    /** Returns the keys of the held leases, in no meaningful order. */
    public List<Integer> keys() {
        Integer[] keys = new Integer[size];
        for (int i = 0; i < size; i++) {
            keys[i] = held[i].key();
        }
        return List.of(keys);
    }

    /** Returns the keys that were requested and not yet answered. */
    public List<Integer> requested() {
        return requested;
    }

    private static List<Integer> without(List<Integer> keys, int key) {
        return keys.stream().filter(other -> other != key).toList();
    }

    private int leastRecentlyUsed() {
        int oldest = 0;
        for (int i = 1; i < size; i++) {
            if (usedAt[i] < usedAt[oldest]) {
                oldest = i;
            }
        }
        return oldest;
    }

    @SuppressWarnings("NullAway") // slots at and above `size` are never read
    private Lease removeAt(int index) {
        Lease lease = held[index];
        size--;
        held[index] = held[size];
        usedAt[index] = usedAt[size];
        held[size] = null;
        newest = null;
        return lease;
    }
}
