// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What each user of a shared receive queue was given last, which it may not have heard: it may be gone when the answer comes (rules
 * receive-returned, tag-returned). One thing for each user, as long as it is one.
 *
 * @param <G> what is given
 */
public final class UnconfirmedReceives<G> {
    private final Map<SrqUser, G> lastGiven = new LinkedHashMap<>();

    public void given(SrqUser user, G what) {
        lastGiven.put(user, what);
    }

    /** The user was told that there is nothing, or has left. */
    public void forget(SrqUser user) {
        lastGiven.remove(user);
    }

    /** It was not heard, and is no longer that user's. */
    public Optional<G> withdraw(SrqUser user) {
        return Optional.ofNullable(lastGiven.remove(user));
    }
}
