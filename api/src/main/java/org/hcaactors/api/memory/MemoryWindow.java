// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/**
 * A key for use from afar that a send queue binds to a part of a region, and takes off again, without the cost of a
 * registration ({@code ibv_mw}; IBA 10.6.7.2). Until it is bound its key lets nobody in.
 *
 * <p>Threads: any. Limits: one region at a time, at most {@value WindowBinding#MOST_BYTES} bytes of it; only adapters
 * with {@link org.hcaactors.api.capability.WindowCapabilities}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface MemoryWindow extends Handle {
    WindowType type();

    /**
     * As of the newest bind that was posted, whatever became of it: a peer may be told it on the queue pair of the bind before
     * that completes, and by no other way (ibv_bind_mw(3)).
     */
    int rkey();

    /**
     * After a bind that failed: the key that it was to replace, its {@code BindWindow.key()}, is right again, and the next
     * bind names it ({@code ibv_mw.rkey}, which is the caller's to mend). Without this, later binds fail, too, with
     * MW_BIND_ERR: they name a key that the window never had. VerbsException (EINVAL) where the upper 24 bits are another
     * window's.
     */
    void restore(int rkey);

    /** The next key of the same window ({@code ibv_inc_rkey}): the low 8 bits plus one, from 0xff to 0x00. */
    static int next(int rkey) {
        return rkey & 0xFFFF_FF00 | rkey + 1 & 0xFF;
    }

    /** The remote address, for a peer's use; of a zero-based window, bytes from its first on. */
    default RemoteAddress remote(long address) {
        return new RemoteAddress(rkey(), address);
    }

    /**
     * Frees the window, bound or not ({@code ibv_dealloc_mw}). When the stage completes, no packet can read or write memory
     * through it any more.
     */
    CompletionStage<Void> deallocate();
}
