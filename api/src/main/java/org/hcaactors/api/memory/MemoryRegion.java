// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/**
 * Registered memory ({@code ibv_mr}): a key under which the adapter may touch a range of host memory.
 *
 * <p>Threads: any. Limits: a region has 0 bytes to all of one memory; an adapter has 2^24 keys.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface MemoryRegion extends Handle {
    int lkey();

    /** Equal to {@link #lkey()}, as on mlx5 (rule memory-one-key); without remote rights it exists and fails on use. */
    int rkey();

    /** Where the range begins under the key: in the process too, unless it was registered elsewhere. */
    long address();

    long lengthBytes();

    AccessFlags access();

    HostMemory memory();

    /** The element that covers {@code lengthBytes} bytes from {@code offset} bytes after {@link #address()}. */
    default LocalSlice slice(long offset, int lengthBytes) {
        return new LocalSlice(lkey(), address() + offset, lengthBytes);
    }

    /** The remote address, for a peer's use, {@code offset} bytes after {@link #address()}. */
    default RemoteAddress remote(long offset) {
        return new RemoteAddress(rkey(), address() + offset);
    }

    /**
     * Takes the key away ({@code ibv_dereg_mr}). When the stage completes, every lease on the key has been given back: no
     * packet and no work request can read or write the memory under it any more.
     */
    CompletionStage<Void> deregister();
}
