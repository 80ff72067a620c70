// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/**
 * A range of a host process's memory that the adapter can reach: direct buffers placed in a modelled 64-bit address space, or
 * {@linkplain ProgramMemory memory of a program} at the program's own addresses.
 *
 * <p>Reads and writes here are the process's own loads and stores; they need no registration and are not ordered with the
 * adapter's except by completions. Each access is a call. No {@code ByteBuffer} of the memory is handed out, because neither
 * the checks of a test nor on-demand paging would notice accesses through it.
 *
 * <p>Closing unmaps it ({@code munmap}). From then on every access is EINVAL, and its addresses are not allocated again. The JVM
 * can free the bytes, even while this handle is referenced; a buffer that the process mapped itself stays the process's. Memory
 * that a process has not closed is unmapped when the process exits, and is not a leak. Memory of a program is not unmapped: the
 * process forgets the range, which may be mapped again. If the program itself unmaps it, reads return zeros and writes are lost.
 *
 * <p>Threads: any; concurrent accesses to the same bytes interleave as plain loads and stores do. Limits: the direct
 * memory of the JVM.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface HostMemory extends Handle {
    /** First address, in the process's address space. */
    long address();

    long lengthBytes();

    /**
     * First address in the host's physical memory, in which the memory is contiguous. Memory that processes share has one bus
     * address (rule memory-physical). EOPNOTSUPP for memory of a program, whose physical addresses are not known.
     */
    long busAddress();

    /** False after it was closed or its process exited. */
    boolean isMapped();

    /** Copies {@code lengthBytes} bytes from {@code offset} bytes after {@link #address()}. */
    byte[] read(long offset, int lengthBytes);

    /** Copies {@code bytes} to {@code offset} bytes after {@link #address()}. */
    void write(long offset, byte[] bytes);

    /**
     * Reads {@code target.remaining()} bytes into {@code target}, from {@code offset} bytes after {@link #address()}, and moves
     * its position to its limit. If the access is refused, neither content nor position changes.
     */
    default void read(long offset, ByteBuffer target) {
        target.put(read(offset, target.remaining()));
    }

    /**
     * Writes the remaining bytes of {@code source} to {@code offset} bytes after {@link #address()}, and moves its position to
     * its limit. If the access is refused, neither the memory nor the position changes.
     */
    default void write(long offset, ByteBuffer source) {
        byte[] bytes = new byte[source.remaining()];
        source.duplicate().get(bytes);
        write(offset, bytes);
        source.position(source.limit());
    }

    /** Reads eight bytes in the host's byte order. */
    long readLong(long offset);

    /** Writes eight bytes in the host's byte order. */
    void writeLong(long offset, long value);

    /**
     * Evicts the pages of these bytes from the host's physical memory, as under memory pressure: they keep their contents, and
     * the next access waits until they are read back. Pages that are not present, that a pinned region (not {@linkplain
     * Registration#withOnDemandPaging on demand}) covers, or that belong to a peer device or a program are not evicted. Adapters that use an evicted
     * page are notified. IndexOutOfBoundsException outside the memory, EINVAL once it is unmapped.
     *
     * @return number of evicted pages
     */
    default long evict(long offset, long lengthBytes) {
        return 0;
    }

    /**
     * Unmaps it: EBUSY, with their names, while regions cover it, including regions being registered or deregistered; regions
     * {@linkplain Registration#withOnDemandPaging on demand} do not count. A real host would unmap the range and keep its pages until the
     * last region is deregistered; here an object in use cannot be closed, as everywhere in this API.
     */
    @Override
    CompletionStage<Void> closeAsync();
}
