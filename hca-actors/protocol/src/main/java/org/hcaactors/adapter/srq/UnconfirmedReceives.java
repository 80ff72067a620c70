// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last receive or match given to each user of a shared receive queue. The user may not have received it, as it may be gone
 * by then (rules receive-returned, tag-returned). There is at most one for each user.
 *
 * @param <G> what is given
 */
public final class UnconfirmedReceives<G> {
    private final Map<SrqUser, G> lastGranted = new LinkedHashMap<>();

    public void granted(SrqUser user, G what) {
        lastGranted.put(user, what);
    }

    /** The user was answered that there is none, or has left. */
    public void forget(SrqUser user) {
        lastGranted.remove(user);
    }

    /** Takes back what the user has not received. */
    public Optional<G> withdraw(SrqUser user) {
        return Optional.ofNullable(lastGranted.remove(user));
    }
}
