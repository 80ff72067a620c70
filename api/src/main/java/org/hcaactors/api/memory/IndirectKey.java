// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import org.hcaactors.api.handle.Handle;

/**
 * An indirect key ({@code mlx5dv_mkey}, {@code ibv_exp_mkey}), which gives access to memory of other keys. It is empty when
 * created; {@code FillKey} on a send queue fills it until the next {@code FillKey} or invalidation. Its addresses begin at 0.
 *
 * <p>It can be used while all keys that it refers to are valid: after one of them is destroyed, every use is refused.
 *
 * <p>Threads: any. Limits: the profile's {@code indirectKeys()}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface IndirectKey extends Handle {
    int lkey();

    /** Equal to {@link #lkey()}, as on mlx5 (rule memory-one-key). */
    int rkey();

    /** Maximum {@link KeyLayout#entries()} of its layout. */
    int maxEntries();

    /** Returns the element for {@code lengthBytes} bytes under this key, from {@code offset}. */
    default LocalSlice slice(long offset, int lengthBytes) {
        return new LocalSlice(lkey(), offset, lengthBytes);
    }

    /** Returns the remote address, for a peer's use, of byte {@code offset} under this key. */
    default RemoteAddress remote(long offset) {
        return new RemoteAddress(rkey(), offset);
    }
}
