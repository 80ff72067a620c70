// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * The leases on one key that are out.
 *
 * @param <H> a holder
 */
final class GrantedLeases<H> {
    /** Of a key with memory of its own. */
    static final long NO_PARENTS = 0;

    /**
     * One lease.
     *
     * @param parents what it stands on, by number
     * @param holdsOn the key can't go while it is out
     */
    private record Grant<H>(H holder, long parents, boolean holdsOn) {}

    /** In order of granting, so that revocation asks in the same order in every run. */
    private final Map<Long, Grant<H>> out = new LinkedHashMap<>();

    private final Map<H, Set<Long>> grantsOf = new LinkedHashMap<>();

    /** How many stand on each footing; those that stand on none are not counted. */
    private Map<Long, Integer> standing = Map.of();

    private int holds;
    private long made;

    /** Its number, unlike that of any other of its adapter. */
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
        if (standing.isEmpty()) {
            standing = new LinkedHashMap<>();
        }
        standing.merge(parents, more, (before, change) -> before + change == 0 ? null : before + change);
    }

    /** Nothing stands on it. */
    @MutationPoint("granted-leases.is-free")
    boolean isFree(long parents) {
        return !standing.containsKey(parents);
    }

    /** A dead holder has given everything back. */
    void died(H holder) {
        Set<Long> held = grantsOf.remove(holder);
        if (held != null) {
            held.forEach(this::forget);
        }
    }

    /** Those that stand on it, with who must give them back. */
    Map<Long, H> on(long parents) {
        Map<Long, H> found = new LinkedHashMap<>();
        out.forEach((number, grant) -> {
            if (grant.parents == parents) {
                found.put(number, grant.holder);
            }
        });
        return found;
    }

    /** All of them, with who must give them back. */
    Map<Long, H> all() {
        Map<Long, H> found = new LinkedHashMap<>();
        out.forEach((number, grant) -> found.put(number, grant.holder));
        return found;
    }

    /** How many hold on to the key. */
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
