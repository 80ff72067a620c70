// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;

/** What can be made of a key after it was registered. Changes are made one after the other, in the order asked for. */
public sealed interface KeyChange {
    /**
     * Whose news the trace has. Where a change says in full what is to become of the key, that is told: whoever judges by the
     * trace then notices a key that became something else.
     *
     * @param next what the key shows once it has changed
     */
    default TranslatedKey told(TranslatedKey next) {
        return next;
    }

    /**
     * A window shows a part of a region (rule memory-key-work).
     *
     * @param key as it was named
     * @param newKey its key from then on, of the same index
     * @param region the key of what it shows a part of; not looked at where it shows nothing
     * @param lengthBytes 0 to show nothing
     * @param by the queue pair whose request it is
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
     * It shows nothing any more.
     *
     * @param key as it was named
     * @param remote a peer's message asked for it
     */
    record Invalidate(int key, boolean remote, KeyUser by) implements KeyChange {}

    /**
     * An indirect key shows other memory (rule indirect-fill).
     *
     * @param key as it was named
     * @param rights what it allows itself; those of the keys behind it count, too
     */
    record Show(int key, AccessFlags rights, KeyLayout layout, KeyUser by) implements KeyChange {}

    /** A region is registered anew under the same key, or becomes undefined (rule memory-reregister). */
    record Reregister(TranslatedKey next) implements KeyChange {
        @Override
        public TranslatedKey told(TranslatedKey made) {
            return next;
        }
    }
}
