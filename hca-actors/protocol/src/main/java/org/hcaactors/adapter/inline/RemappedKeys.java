// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.hcaactors.adapter.flow.InlineCopyFailed.Addresses;

/**
 * The keys of an adapter under which an address is not that of the byte in the process: who copies by addresses does not get to
 * their memory, or gets to other (rule inline-addresses). Most keys are not here. Safe for several threads.
 */
public final class RemappedKeys {
    private final Map<Integer, Addresses> keys = new ConcurrentSkipListMap<>();

    /** @param addresses empty: those of the process */
    public void are(int key, Optional<Addresses> addresses) {
        addresses.ifPresentOrElse(foreign -> keys.put(key, foreign), () -> keys.remove(key));
    }

    public void remove(int key) {
        keys.remove(key);
    }

    public Optional<Addresses> find(int key) {
        return Optional.ofNullable(keys.get(key));
    }
}
