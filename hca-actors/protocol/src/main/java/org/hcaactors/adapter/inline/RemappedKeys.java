// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.hcaactors.adapter.flow.InlineCopyFailed.Addresses;

/**
 * Keys of an adapter under which an address is not the byte's address in the process, so that a copy by address would miss
 * their memory (rule inline-addresses). Most keys are not in it. Safe for several threads.
 */
public final class RemappedKeys {
    private final Map<Integer, Addresses> keys = new ConcurrentSkipListMap<>();

    /**
     * Sets the kind of a key's addresses.
     *
     * @param addresses empty for addresses of the process
     */
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
