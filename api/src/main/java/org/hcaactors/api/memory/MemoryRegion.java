// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/**
 * A memory region ({@code ibv_mr}): a key under which the adapter may access a range of host memory.
 *
 * <p>Threads: any; verbs that change or deregister it run one after the other. Limits: a region has 0 bytes to all of one
 * memory, or of an address space; an adapter has 2^24 keys.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface MemoryRegion extends Handle {
    /** Local key; reregistration may change it. */
    int lkey();

    /**
     * Remote key, equal to {@link #lkey()} as on mlx5 (rule memory-one-key); without remote rights it exists but fails on use.
     * 0 for a null region, which has none.
     */
    int rkey();

    /**
     * First address of the range under the key; equal to the address in the process unless it was registered at another
     * address.
     */
    long address();

    /** First address of the range in its process; EINVAL for a null region or one of physical addresses. */
    long processAddress();

    long lengthBytes();

    AccessFlags access();

    /**
     * Pages of its current translation: larger than 4 KiB if its memory was {@linkplain Registration#allocated allocated} and
     * the host had contiguous blocks. None for a null region and one of physical addresses. For an on-demand region, the pages
     * if all were present: of 4 KiB, of 2 MiB on {@linkplain Registration#withHugePages huge pages}, or of 1 GiB for a whole
     * address space.
     */
    PageLayout pages();

    /** Memory of the region; EINVAL for a null region or one registered by addresses. */
    HostMemory memory();

    /** Paging statistics of an on-demand region. */
    PagingStatistics pagingStatistics();

    /** Number of the region in its host, with which another process registers shared memory ({@code ibv_mr.handle}). */
    int handle();

    /** Returns the element for {@code lengthBytes} bytes from {@code offset} bytes after {@link #address()}. */
    default LocalSlice slice(long offset, int lengthBytes) {
        return new LocalSlice(lkey(), address() + offset, lengthBytes);
    }

    /** Returns the remote address, for a peer's use, {@code offset} bytes after {@link #address()}. */
    default RemoteAddress remote(long offset) {
        return new RemoteAddress(rkey(), address() + offset);
    }

    /**
     * Changes the region's translation, domain or rights, or several of them ({@code ibv_rereg_mr}). Settings that the
     * description does not mark as changes are ignored. When the stage completes, no packet and no work request uses the
     * previous memory, which is released. If the new translation does not fit under the old key, the region gets another key:
     * read {@link #lkey()} and {@link #rkey()} again; the old key is invalid.
     *
     * <p>EBUSY, and nothing changes, while another key such as a window refers to the region. After any other error the region
     * is undefined: all access is refused, and it can only be deregistered. EINVAL for settings that could not be registered,
     * for 0 bytes, for a domain that is closed or of another context, if nothing is to change, and for an undefined region;
     * ENOMEM if the adapter has no other key.
     */
    CompletionStage<Void> reregister(Reregistration requested);

    /**
     * Prefetches pages of an on-demand region ({@code ibv_exp_prefetch_mr}), from {@code offset} bytes after {@link
     * #address()}. Best effort: the stage completes when the prefetch is accepted, and later errors are not reported.
     * EOPNOTSUPP if the adapter has no such regions; EINVAL for a region that is not on demand or is being deregistered; EPERM
     * for a prefetch for writing of a region that may not be written; ENOMEM while too many prefetches wait. {@link
     * org.hcaactors.api.device.ProtectionDomain#advise} is the newer verb with the same effect.
     *
     * @param toWrite fetches pages for writing ({@code IBV_EXP_PREFETCH_WRITE_ACCESS}); otherwise for reading
     */
    CompletionStage<Void> prefetch(long offset, long lengthBytes, boolean toWrite);

    /**
     * Deregisters the region ({@code ibv_dereg_mr}). When the stage completes, every lease on the key has been returned: no
     * packet and no work request can read or write the memory under it.
     */
    CompletionStage<Void> deregister();
}
