// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.handle.Handle;

/**
 * A range of a host process's memory that the adapter can reach: direct buffers placed in a modelled 64-bit address space.
 *
 * <p>Reads and writes here are the process's own loads and stores; they need no registration and are not ordered with the
 * adapter's except by completions. Each is a call: there is no buffer that shows the memory, because through one a program's
 * accesses would be seen neither by the checks of a test nor by pages on demand.
 *
 * <p>Closing unmaps it ({@code munmap}). From then on every access is refused with EINVAL, its addresses are never given
 * out again, and the bytes are the JVM's to take back, whoever still holds this handle; a buffer that the process mapped
 * itself is merely forgotten. What a process maps and does not close is unmapped when it exits, and is no leak.
 *
 * <p>Threads: any; accesses at the same time to the same bytes mix as plain loads and stores do. Limits: what the JVM
 * has of direct memory.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface HostMemory extends Handle {
    /** First address, in the process's address space. */
    long address();

    long lengthBytes();

    /**
     * First address in the host's physical memory, where it stands in one piece; what processes share stands there once (rule
     * memory-physical).
     */
    long busAddress();

    /** False once it was closed or its process exited. */
    boolean isMapped();

    /** Copies {@code lengthBytes} bytes out, from {@code offset} bytes after {@link #address()}. */
    byte[] read(long offset, int lengthBytes);

    /** Copies {@code bytes} in, from {@code offset} bytes after {@link #address()}. */
    void write(long offset, byte[] bytes);

    /**
     * Fills what remains of {@code target}, from {@code offset} bytes after {@link #address()}, and moves its position to its limit; where
     * that is refused, not at all.
     */
    default void read(long offset, ByteBuffer target) {
        target.put(read(offset, target.remaining()));
    }

    /**
     * Copies in what remains of {@code source}, from {@code offset} bytes after {@link #address()}, and moves its position to its limit;
     * where that is refused, not at all.
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
     * The host takes the pages that these bytes touch out of its physical memory, as under pressure: they keep what is in
     * them, and who uses them next waits until they are read back. What is not in its physical memory can't go, and what a
     * region that is not {@linkplain Registration#onDemand on demand} covers stays, as does memory of a peer device. Where a page
     * went, adapters that use them are told. IndexOutOfBoundsException for what is not in the memory, EINVAL once it is unmapped.
     *
     * @return how many pages went
     */
    default long evict(long offset, long lengthBytes) {
        return 0;
    }

    /**
     * Unmaps it: EBUSY, naming them, while regions cover it, one that is being registered or deregistered included; one {@linkplain
     * Registration#onDemand on demand} does not hold on to it. A real
     * host would unmap the range and keep its pages until the last region is gone; here what is still used refuses, as
     * everywhere.
     */
    @Override
    CompletionStage<Void> closeAsync();
}
