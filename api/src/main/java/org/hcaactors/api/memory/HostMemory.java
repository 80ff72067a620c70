package org.hcaactors.api.memory;

/**
 * A range of a host process's memory that the adapter can reach: direct buffers placed in a modelled 64-bit address space.
 *
 * <p>Reads and writes here are the process's own loads and stores; they need no registration and are not ordered with the
 * adapter's except by completions.
 */
public interface HostMemory {
    /** First address, in the process's address space. */
    long address();

    long lengthBytes();

    /** Copies {@code lengthBytes} bytes out, from {@code offset} bytes after {@link #address()}. */
    byte[] read(long offset, int lengthBytes);

    /** Copies {@code bytes} in, from {@code offset} bytes after {@link #address()}. */
    void write(long offset, byte[] bytes);

    /** Reads eight bytes in the host's byte order. */
    long readLong(long offset);

    /** Writes eight bytes in the host's byte order. */
    void writeLong(long offset, long value);
}
