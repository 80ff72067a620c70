// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * The address space of the process, in which the C side keeps blocks and records. Nothing is checked: only addresses that the C
 * side hands over for this purpose are used, never those of the program's own buffers, for which {@link ProgramBytes} serves.
 */
final class AddressSpace {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private AddressSpace() {}

    static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG, address);
    }

    static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT, address);
    }

    static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG, address, value);
    }

    static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT, address, value);
    }

    /** Returns UTF-8 text. */
    static String text(long address, long lengthBytes) {
        byte[] bytes = ALL.asSlice(address, lengthBytes).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Writes UTF-8 text with a NUL behind it, cut to the room. */
    static void putText(long address, int roomBytes, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, roomBytes - 1);
        MemorySegment.copy(bytes, 0, ALL, ValueLayout.JAVA_BYTE, address, length);
        ALL.set(ValueLayout.JAVA_BYTE, address + length, (byte) 0);
    }
}
