// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.Optional;

/**
 * Request for a lease on a key.
 *
 * @param key the key as it is named, variant included
 * @param depth how many keys may be nested, this one included
 * @param asPart another key maps memory through this one
 * @param hold what a key that holds this one requires of it
 * @param <H> holder of the lease
 */
public record LeaseRequest<H>(int key, int depth, boolean asPart, Optional<ParentKey.Hold> hold, H holder) {
    /** Creates a request that is made as a part if it holds the key. */
    public LeaseRequest(int key, int depth, Optional<ParentKey.Hold> hold, H holder) {
        this(key, depth, hold.isPresent(), hold, holder);
    }

    /** Creates a request for a lease that may be revoked at any time. */
    public static <H> LeaseRequest<H> of(int key, int depth, H holder) {
        return new LeaseRequest<>(key, depth, false, Optional.empty(), holder);
    }

    /** Creates a request of a key that maps memory through this one. */
    public static <H> LeaseRequest<H> of(ParentKey part, int depth, H holder) {
        return new LeaseRequest<>(part.key(), depth, true, part.hold(), holder);
    }
}
