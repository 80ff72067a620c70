// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.hcaactors.adapter.lease.Lease;

/**
 * Leases on the parents of a key without memory of its own, requested one by one.
 *
 * @param <H> holder of a lease
 */
final class ParentLeases<H> {
    private final long number;
    private final int depth;
    private final List<ParentKey> parents;
    private final Translation.Effects<H> effects;
    private final Map<Integer, Lease> leases = new LinkedHashMap<>();
    private final Set<Integer> missing = new LinkedHashSet<>();
    private final List<LeaseRequest<H>> waiting = new ArrayList<>(1);
    private boolean retired;

    /** @param depth how many keys may be nested, counted from the parents on */
    ParentLeases(long number, int depth, List<ParentKey> parents, Translation.Effects<H> effects) {
        this.number = number;
        this.depth = depth;
        this.parents = parents;
        this.effects = effects;
    }

    long number() {
        return number;
    }

    /** Requests each parent once. */
    void requestAll() {
        for (ParentKey part : parents) {
            if (missing.add(part.key())) {
                effects.requestParent(number, part, depth);
            }
        }
    }

    /** Takes a lease; returns false if it is no longer needed. */
    boolean takes(Lease lease) {
        boolean requested = !retired && missing.remove(lease.key());
        if (requested) {
            leases.put(lease.key(), lease);
        }
        return requested;
    }

    boolean has(long grant) {
        return leases.values().stream().anyMatch(lease -> lease.grant() == grant);
    }

    boolean isReady() {
        return missing.isEmpty() && !retired;
    }

    /** Returns one lease for each part. */
    List<Lease> leases() {
        return parents.stream()
                .map(part -> Objects.requireNonNull(leases.get(part.key()), "a part of the key has no lease"))
                .toList();
    }

    /** Returns the keys whose leases have arrived. */
    Set<Integer> keys() {
        return leases.keySet();
    }

    /** Stops granting leases that depend on these; they are released when none depends on them any more. */
    void retire() {
        retired = true;
    }

    boolean isRetired() {
        return retired;
    }

    void release() {
        retired = true;
        leases.values().forEach(Lease::release);
        leases.clear();
    }

    void await(LeaseRequest<H> request) {
        waiting.add(request);
    }

    List<LeaseRequest<H>> takeWaiting() {
        List<LeaseRequest<H>> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    void died(H holder) {
        waiting.removeIf(request -> request.holder().equals(holder));
    }
}
