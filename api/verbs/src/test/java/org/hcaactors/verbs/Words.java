// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory outside of the heap for blocks and records of a test; it is not freed. */
final class Words {
    private static final int BYTES = 4096;

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, Long.BYTES);

    long address() {
        return memory.address();
    }

    Block block() {
        return new Block(address());
    }

    Words setLong(long offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, offset, value);
        return this;
    }

    Words setInt(long offset, int value) {
        memory.set(ValueLayout.JAVA_INT, offset, value);
        return this;
    }

    long getLong(long offset) {
        return memory.get(ValueLayout.JAVA_LONG, offset);
    }

    int getInt(long offset) {
        return memory.get(ValueLayout.JAVA_INT, offset);
    }
}
