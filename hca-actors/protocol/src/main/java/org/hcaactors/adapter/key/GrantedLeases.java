// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Leases granted on one key.
 *
 * @param <H> holder of a lease
 */
final class GrantedLeases<H> {
    /** Value of {@code parents} for a key with memory of its own. */
    static final long NO_PARENTS = 0;

    /**
     * One lease.
     *
     * @param parents number of the {@link ParentLeases} that it depends on
     * @param holdsOn the key can't be deregistered while the lease is out
     */
    private record Grant<H>(H holder, long parents, boolean holdsOn) {}

    /** In order of granting, so that revocations have the same order in every run. */
    private final Map<Long, Grant<H>> out = new LinkedHashMap<>();

    private final Map<H, Set<Long>> grantsOf = new LinkedHashMap<>();

    /** Number of leases by {@link ParentLeases}; leases without parents are not counted. */
    private Map<Long, Integer> byParents = Map.of();

    private int holds;
    private long made;

    /** Adds a lease; returns its number, which is unique within the adapter. */
    long add(int key, H holder, long parents, boolean holdsOn) {
        long number = (long) key << Integer.SIZE | made++ & 0xFFFF_FFFFL;
        out.put(number, new Grant<>(holder, parents, holdsOn));
        grantsOf.computeIfAbsent(holder, first -> new LinkedHashSet<>(2)).add(number);
        holds += holdsOn ? 1 : 0;
        count(parents, 1);
        return number;
    }

    void remove(long number) {
        Grant<H> grant = forget(number);
        if (grant == null) {
            return;
        }
        Set<Long> others = grantsOf.get(grant.holder);
        if (others != null && others.remove(number) && others.isEmpty()) {
            grantsOf.remove(grant.holder);
        }
    }

    private @Nullable Grant<H> forget(long number) {
        Grant<H> grant = out.remove(number);
        if (grant != null) {
            holds -= grant.holdsOn ? 1 : 0;
            count(grant.parents, -1);
        }
        return grant;
    }

    private void count(long parents, int more) {
        if (parents == NO_PARENTS) {
            return;
        }
        if (byParents.isEmpty()) {
            byParents = new LinkedHashMap<>();
        }
        byParents.merge(parents, more, (before, change) -> before + change == 0 ? null : before + change);
    }

    /** True if no lease depends on these parents. */
    @MutationPoint("granted-leases.is-free")
    boolean isFree(long parents) {
        return !byParents.containsKey(parents);
    }

    /** Removes all leases of a holder that ended. */
    void died(H holder) {
        Set<Long> held = grantsOf.remove(holder);
        if (held != null) {
            held.forEach(this::forget);
        }
    }

    /** Returns the leases that depend on these parents, with their holders. */
    Map<Long, H> on(long parents) {
        Map<Long, H> found = new LinkedHashMap<>();
        out.forEach((number, grant) -> {
            if (grant.parents == parents) {
                found.put(number, grant.holder);
            }
        });
        return found;
    }

    /** Returns all leases with their holders. */
    Map<Long, H> all() {
        Map<Long, H> found = new LinkedHashMap<>();
        out.forEach((number, grant) -> found.put(number, grant.holder));
        return found;
    }

    /** Number of leases that prevent a deregistration. */
    int holds() {
        return holds;
    }

    int size() {
        return out.size();
    }

    @MutationPoint("granted-leases.is-empty")
    boolean isEmpty() {
        return out.isEmpty();
    }
}
