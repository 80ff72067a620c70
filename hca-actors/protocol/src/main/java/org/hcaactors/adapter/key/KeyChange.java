// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;

/** Changes of a registered key. They are made one after the other, in the order of their requests. */
public sealed interface KeyChange {
    /**
     * Returns the key that the trace reports. If a change fully defines the key's new state, the change itself is reported, so
     * that checks on the trace notice a key with a different state.
     *
     * @param next the key after the change
     */
    default TranslatedKey traced(TranslatedKey next) {
        return next;
    }

    /**
     * Binds a window to a part of a region (rule memory-key-work).
     *
     * @param key the key as it was named
     * @param newKey the window's key from then on, with the same index
     * @param region key of the region; ignored if nothing is bound
     * @param lengthBytes 0 to unbind
     * @param by the queue pair of the request
     */
    record Bind(
            int key,
            int newKey,
            int region,
            long address,
            long lengthBytes,
            AccessFlags rights,
            boolean zeroBased,
            KeyUser by)
            implements KeyChange {}

    /**
     * Invalidates a key.
     *
     * @param key the key as it was named
     * @param remote requested by a peer's message
     */
    record Invalidate(int key, boolean remote, KeyUser by) implements KeyChange {}

    /**
     * Fills an indirect key with other memory (rule indirect-fill).
     *
     * @param key the key as it was named
     * @param rights rights of the key itself; those of the keys behind it apply, too
     */
    record Show(int key, AccessFlags rights, KeyLayout layout, KeyUser by) implements KeyChange {}

    /** Reregisters a region under the same key, or makes it undefined (rule memory-reregister). */
    record Reregister(TranslatedKey next) implements KeyChange {
        @Override
        public TranslatedKey traced(TranslatedKey made) {
            return next;
        }
    }
}
