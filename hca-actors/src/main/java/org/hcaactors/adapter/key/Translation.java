// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.lease.Lease;

/**
 * One key's translation and the leases on it, as a machine. Taking the key away asks every holder and is done when each
 * has given its lease back; a key being taken away grants nothing (rule memory-deregister).
 *
 * @param <H> a holder
 */
final class Translation<H> {
    private final TranslatedKey key;
    private final Lease.Origin origin;
    /** In order of granting, so that revocation asks in the same order in every run. */
    private final Map<Long, H> holders = new LinkedHashMap<>();

    private final Map<H, Set<Long>> grantsOf = new LinkedHashMap<>();

    private long grants;
    private boolean revoked;

    Translation(TranslatedKey key, Lease.Origin origin) {
        this.key = key;
        this.origin = origin;
    }

    int key() {
        return key.key();
    }

    boolean isRevoked() {
        return revoked;
    }

    /** Only while not revoked. */
    Lease grant(H holder) {
        if (revoked) {
            throw new IllegalStateException("key 0x%08x is being taken away".formatted(key()));
        }
        long grant = (long) key() << 32 | grants++ & 0xFFFF_FFFFL;
        holders.put(grant, holder);
        grantsOf.computeIfAbsent(holder, first -> new LinkedHashSet<>(2)).add(grant);
        return key.lease(grant, origin);
    }

    void released(long grant) {
        H holder = holders.remove(grant);
        Set<Long> others = holder == null ? null : grantsOf.get(holder);
        if (others != null && others.remove(grant) && others.isEmpty()) {
            grantsOf.remove(holder);
        }
    }

    /** A dead holder has given everything back. */
    void died(H holder) {
        Set<Long> held = grantsOf.remove(holder);
        if (held != null) {
            held.forEach(holders::remove);
        }
    }

    /** Grants nothing any more; returns who must give what back. */
    Map<Long, H> revoke() {
        revoked = true;
        return new LinkedHashMap<>(holders);
    }

    /** Leases that are out. */
    int leases() {
        return holders.size();
    }

    /** Revoked, and nobody holds a lease any more. */
    boolean isGone() {
        return revoked && grantsOf.isEmpty();
    }
}
