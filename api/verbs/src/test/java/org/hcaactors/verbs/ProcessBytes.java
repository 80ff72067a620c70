// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hcaactors.api.memory.ProgramMemory;

/** The memory of this process as a program's; all of it counts as mapped. */
final class ProcessBytes implements ProgramMemory {
    private static MemorySegment at(long address, long lengthBytes) {
        return MemorySegment.ofAddress(address).reinterpret(lengthBytes);
    }

    @Override
    public boolean isMapped(long address, long lengthBytes) {
        return true;
    }

    @Override
    public void load(long from, byte[] target, int offset, int count) {
        MemorySegment.copy(at(from, count), ValueLayout.JAVA_BYTE, 0, target, offset, count);
    }

    @Override
    public void store(long to, byte[] source, int offset, int count) {
        MemorySegment.copy(source, offset, at(to, count), ValueLayout.JAVA_BYTE, 0, count);
    }

    @Override
    public int getInt(long address) {
        return AddressSpace.getInt(address);
    }

    @Override
    public long getLong(long address) {
        return AddressSpace.getLong(address);
    }

    @Override
    public void setInt(long address, int value) {
        AddressSpace.putInt(address, value);
    }

    @Override
    public void setLong(long address, long value) {
        AddressSpace.putLong(address, value);
    }

    @Override
    public boolean compareAndSetInt(long address, int expected, int next) {
        return ValueLayout.JAVA_INT.varHandle().compareAndSet(at(address, Integer.BYTES), 0L, expected, next);
    }

    @Override
    public boolean compareAndSetLong(long address, long expected, long next) {
        return ValueLayout.JAVA_LONG.varHandle().compareAndSet(at(address, Long.BYTES), 0L, expected, next);
    }
}
