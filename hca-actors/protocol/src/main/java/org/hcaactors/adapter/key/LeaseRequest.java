// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import java.util.Optional;

/**
 * A wish to use a key.
 *
 * @param key as it is named, variant included
 * @param depth how many keys may stand behind each other, from this one on
 * @param asPart another key shows memory through it
 * @param hold what is wanted of it by a key that holds on to it
 * @param <H> whoever wishes
 */
public record LeaseRequest<H>(int key, int depth, boolean asPart, Optional<ParentKey.Hold> hold, H holder) {
    /** One that holds on to it shows memory through it. */
    public LeaseRequest(int key, int depth, Optional<ParentKey.Hold> hold, H holder) {
        this(key, depth, hold.isPresent(), hold, holder);
    }

    /** A lease on it is wanted, which may be called back at any time. */
    public static <H> LeaseRequest<H> of(int key, int depth, H holder) {
        return new LeaseRequest<>(key, depth, false, Optional.empty(), holder);
    }

    /** A lease is wanted by a key that shows memory through this one. */
    public static <H> LeaseRequest<H> of(ParentKey part, int depth, H holder) {
        return new LeaseRequest<>(part.key(), depth, true, part.hold(), holder);
    }
}
