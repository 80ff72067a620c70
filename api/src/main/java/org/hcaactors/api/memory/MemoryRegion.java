// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/**
 * Registered memory ({@code ibv_mr}): a key under which the adapter may touch a range of host memory.
 *
 * <p>Threads: any; of verbs that change or end it, one begins when the one before it is done. Limits: a region has 0 bytes to
 * all of one memory, or of an address space; an adapter has 2^24 keys.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface MemoryRegion extends Handle {
    /** A re-registration may change it. */
    int lkey();

    /**
     * Equal to {@link #lkey()}, as on mlx5 (rule memory-one-key); without remote rights it exists and fails on use. 0 for a
     * null region, which has none.
     */
    int rkey();

    /** Where the range begins under the key: in the process too, unless it was registered elsewhere. */
    long address();

    /** Where the range begins in its process; EINVAL for a region of no process's addresses: a null one, or one of physical addresses. */
    long processAddress();

    long lengthBytes();

    AccessFlags access();

    /**
     * The pages of its translation, as it is now: larger ones where its memory was {@linkplain Registration#allocated allocated}
     * and the host had blocks of them. None for a null region and one of physical addresses.
     * On demand, those that there would be if all were there: of 4 KiB, of 2 MiB on {@linkplain Registration#hugePages huge
     * pages}, or of 1 GiB for a whole address space.
     */
    PageLayout pages();

    /** EINVAL for a region that names no memory of a process: a null one, or one of addresses. */
    HostMemory memory();

    /** What has become of its pages, where they come when they are used. */
    PagingStatistics pagingStatistics();

    /** Number of the region in its host, by which another process registers what is shared ({@code ibv_mr.handle}). */
    int handle();

    /** The element that covers {@code lengthBytes} bytes from {@code offset} bytes after {@link #address()}. */
    default LocalSlice slice(long offset, int lengthBytes) {
        return new LocalSlice(lkey(), address() + offset, lengthBytes);
    }

    /** The remote address, for a peer's use, {@code offset} bytes after {@link #address()}. */
    default RemoteAddress remote(long offset) {
        return new RemoteAddress(rkey(), address() + offset);
    }

    /**
     * Changes what the region shows, its domain, its rights, or any of them together ({@code ibv_rereg_mr}). What the description
     * does not name as a change is ignored. When the stage completes, no packet and no work request uses any more what the
     * region was, which is let go. Where the new translation has no room under the old key it gets another: {@link #lkey()}
     * and {@link #rkey()} must be read again, and the old key is gone.
     *
     * <p>EBUSY while another key holds on to the region, as a window does, which changes nothing. After any other refusal
     * the region is undefined: nobody is let in, and it can only be deregistered. EINVAL for what could not be registered
     * so, for no bytes, a domain that is closed or of another context, where nothing is to change, and for an undefined region; ENOMEM
     * where the adapter has no other key.
     */
    CompletionStage<Void> reregister(Reregistration requested);

    /**
     * Has pages of a region on demand come before they are used ({@code ibv_exp_prefetch_mr}), {@code offset} bytes after {@link
     * #address()}: as well as it goes, and what fails once it is accepted is lost. Done once it is accepted. EOPNOTSUPP where the
     * adapter has no such regions, EINVAL for a region that is not on demand or is being deregistered, EPERM for pages to write of
     * one that may not be written, ENOMEM while too many prefetches wait. {@link
     * org.hcaactors.api.device.ProtectionDomain#advise} is the newer verb, and does the same.
     *
     * @param toWrite they come to be written ({@code IBV_EXP_PREFETCH_WRITE_ACCESS}); else to be read
     */
    CompletionStage<Void> prefetch(long offset, long lengthBytes, boolean toWrite);

    /**
     * Takes the key away ({@code ibv_dereg_mr}). When the stage completes, every lease on the key has been given back: no
     * packet and no work request can read or write the memory under it any more.
     */
    CompletionStage<Void> deregister();
}
