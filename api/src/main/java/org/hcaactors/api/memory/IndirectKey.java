// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import org.hcaactors.api.handle.Handle;

/**
 * A key that shows memory of other keys ({@code mlx5dv_mkey}, {@code ibv_exp_mkey}): nothing at first, and then what a {@code
 * FillKey} on a send queue says, until it is filled anew or invalidated. Its addresses begin at 0.
 *
 * <p>What it shows can be used while every key behind it can: once one of them is gone, every use is refused.
 *
 * <p>Threads: any. Limits: the profile's {@code indirectKeys()}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface IndirectKey extends Handle {
    int lkey();

    /** Equal to {@link #lkey()}, as on mlx5 (rule memory-one-key). */
    int rkey();

    /** Most {@link KeyLayout#entries()} of what it shows. */
    int maxEntries();

    /** The element that covers {@code lengthBytes} bytes of what it shows, from {@code offset} on. */
    default LocalSlice slice(long offset, int lengthBytes) {
        return new LocalSlice(lkey(), offset, lengthBytes);
    }

    /** The remote address, for a peer's use, of byte {@code offset} of what it shows. */
    default RemoteAddress remote(long offset) {
        return new RemoteAddress(rkey(), offset);
    }
}
