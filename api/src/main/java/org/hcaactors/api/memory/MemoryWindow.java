// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/**
 * A memory window ({@code ibv_mw}; IBA 10.6.7.2): a key for remote access that a send queue binds to a part of a region, and
 * unbinds, without the cost of a registration. While it is unbound, access under its key is refused.
 *
 * <p>Threads: any. Limits: one region at a time, at most {@value WindowBinding#MAX_BYTES} bytes of it; only adapters with
 * {@link org.hcaactors.api.capability.WindowCapabilities}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface MemoryWindow extends Handle {
    WindowType type();

    /**
     * Remote key of the newest posted bind, whether or not it succeeded. Before the bind completes, send the key to a peer only
     * on the queue pair of the bind (ibv_bind_mw(3)).
     */
    int rkey();

    /**
     * Restores the key after a failed bind: the key before it, {@code BindWindow.key()}, is valid again, and the next bind must
     * name it ({@code ibv_mw.rkey}, which the caller must repair). Without this, later binds fail too, with MW_BIND_ERR,
     * because they name a key that the window never had. VerbsException (EINVAL) if the upper 24 bits are those of another
     * window.
     */
    void restore(int rkey);

    /** Returns the next key of the same window ({@code ibv_inc_rkey}): the low 8 bits plus one, 0x00 after 0xff. */
    static int nextKey(int rkey) {
        return rkey & 0xFFFF_FF00 | rkey + 1 & 0xFF;
    }

    /**
     * Returns the remote address, for a peer's use; for a zero-based window, {@code address} is an offset from its first byte.
     */
    default RemoteAddress remote(long address) {
        return new RemoteAddress(rkey(), address);
    }

    /**
     * Deallocates the window, bound or not ({@code ibv_dealloc_mw}). When the stage completes, no packet can read or write
     * memory through it.
     */
    CompletionStage<Void> deallocate();
}
