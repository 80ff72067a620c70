// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import java.nio.ByteBuffer;

// rule memory-program
/**
 * Memory of a program outside of the JVM, by the program's own 64-bit addresses. {@link
 * org.hcaactors.api.device.Adapter#process(String, ProgramMemory)} makes it the address space of a process, so that an adapter
 * reaches the program's bytes where they are.
 *
 * <p>A program may unmap memory at any time, also while a region covers it. No method but {@link #isMapped} and
 * {@link #isWritable} depends on that: an access to bytes that are not mapped, or not mapped for this kind of access, reads zeros,
 * stores nothing, and neither throws an exception nor harms the JVM. If only some bytes of an access are mapped, the others count as
 * zeros; whether the mapped ones are stored is not defined.
 *
 * <p>Numbers have the byte order of the JVM ({@link java.nio.ByteOrder#nativeOrder()}).
 *
 * <p>Threads: any, several at a time, among them those that run queue pairs, so that no method may block or call a verb. Limits:
 * addresses from 0 to 2^63 - 1, which no range exceeds.
 *
 * <p>For implementation: no method will be added.
 */
public interface ProgramMemory {
    /**
     * True if all bytes of the range, at least one, can be read now. It is called for each access of an on-demand region, and when
     * a process maps or registers a range.
     */
    boolean isMapped(long address, long lengthBytes);

    /**
     * True if all bytes of the range, at least one, can be read and written now. It is called for each access of an on-demand
     * region that writes, and when its pages are brought in for writing; by default what is mapped is writable.
     */
    default boolean isWritable(long address, long lengthBytes) {
        return isMapped(address, lengthBytes);
    }

    /**
     * Copies {@code count} bytes, at least one, from the address into the array.
     *
     * @param offset index of the first byte in {@code target}; the caller guarantees that the range lies in the array
     */
    void load(long from, byte[] target, int offset, int count);

    /**
     * Copies {@code count} bytes of the array, at least one, to the address.
     *
     * @param offset index of the first byte in {@code source}; the caller guarantees that the range lies in the array
     */
    void store(long to, byte[] source, int offset, int count);

    /**
     * Copies {@code count} bytes, at least one, of the buffer, which may be direct, to the address. Neither position nor limit
     * counts or changes.
     *
     * @param index absolute index of the first byte in {@code source}; the caller guarantees that the range lies in the buffer
     */
    default void store(long to, ByteBuffer source, int index, int count) {
        byte[] copy = new byte[count];
        source.get(index, copy);
        store(to, copy, 0, count);
    }

    /** Reads 4 bytes at a multiple of 4, with volatile semantics. */
    int getInt(long address);

    /** Reads 8 bytes at a multiple of 8, with volatile semantics. */
    long getLong(long address);

    /** Writes 4 bytes at a multiple of 4, with volatile semantics. */
    void setInt(long address, int value);

    /** Writes 8 bytes at a multiple of 8, with volatile semantics. */
    void setLong(long address, long value);

    /**
     * Replaces 4 bytes at a multiple of 4 if they equal {@code expected}, atomically also for the program's processors.
     *
     * @return false if they differ, so that nothing was stored; true without a store if they are not mapped, which ends the
     *     repetition of an atomic
     */
    boolean compareAndSetInt(long address, int expected, int next);

    /** Replaces 8 bytes at a multiple of 8; otherwise as {@link #compareAndSetInt}. */
    boolean compareAndSetLong(long address, long expected, long next);
}
