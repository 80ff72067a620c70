// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.hcaactors.api.memory.ProgramMemory;

/**
 * The program's memory, reached by routines of the C side that survive unmapped pages. Any thread. One routine moves at most
 * {@value #MAX_CHUNK} bytes, because garbage collection waits meanwhile.
 */
final class ProgramBytes implements ProgramMemory {
    /** Maximum number of bytes that one routine moves. */
    private static final int MAX_CHUNK = 1 << 20;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final MethodHandle MOVE =
            Routines.shortCaller(FunctionDescriptor.of(LONG, LONG, ValueLayout.ADDRESS, LONG));
    private static final MethodHandle SWAP_LONG = Routines.shortCaller(FunctionDescriptor.of(LONG, LONG, LONG, LONG));
    private static final MethodHandle SWAP_INT = Routines.shortCaller(FunctionDescriptor.of(INT, LONG, INT, INT));
    private static final MethodHandle GET_LONG = Routines.shortCaller(FunctionDescriptor.of(LONG, LONG));
    private static final MethodHandle GET_INT = Routines.shortCaller(FunctionDescriptor.of(INT, LONG));
    private static final MethodHandle SET_LONG = Routines.shortCaller(FunctionDescriptor.ofVoid(LONG, LONG));
    private static final MethodHandle SET_INT = Routines.shortCaller(FunctionDescriptor.ofVoid(LONG, INT));
    private static final MethodHandle ASK = Routines.caller(FunctionDescriptor.of(INT, LONG, LONG));

    private final MemorySegment load;
    private final MemorySegment store;
    private final MemorySegment swapLong;
    private final MemorySegment swapInt;
    private final MemorySegment getLong;
    private final MemorySegment getInt;
    private final MemorySegment setLong;
    private final MemorySegment setInt;
    private final MemorySegment isMapped;
    private final MemorySegment isWritable;

    ProgramBytes(Routines routines) {
        load = routines.function(Calls.ROUTINE_LOAD);
        store = routines.function(Calls.ROUTINE_STORE);
        swapLong = routines.function(Calls.ROUTINE_COMPARE_AND_SWAP8);
        swapInt = routines.function(Calls.ROUTINE_COMPARE_AND_SWAP4);
        getLong = routines.function(Calls.ROUTINE_LOAD8);
        getInt = routines.function(Calls.ROUTINE_LOAD4);
        setLong = routines.function(Calls.ROUTINE_STORE8);
        setInt = routines.function(Calls.ROUTINE_STORE4);
        isMapped = routines.function(Calls.ROUTINE_MAPPED);
        isWritable = routines.function(Calls.ROUTINE_WRITABLE);
    }

    @Override
    public boolean isMapped(long address, long lengthBytes) {
        return ask(isMapped, address, lengthBytes);
    }

    @Override
    public boolean isWritable(long address, long lengthBytes) {
        return ask(isWritable, address, lengthBytes);
    }

    private static boolean ask(MemorySegment routine, long address, long lengthBytes) {
        try {
            return (int) ASK.invokeExact(routine, address, lengthBytes) != 0;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void load(long from, byte[] target, int offset, int count) {
        move(load, from, MemorySegment.ofArray(target), offset, count);
    }

    @Override
    public void store(long to, byte[] source, int offset, int count) {
        move(store, to, MemorySegment.ofArray(source), offset, count);
    }

    @Override
    public void store(long to, ByteBuffer source, int index, int count) {
        move(store, to, MemorySegment.ofBuffer(source.duplicate().clear()), index, count);
    }

    private static void move(MemorySegment routine, long address, MemorySegment here, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, here.byteSize());
        for (int done = 0; done < count; done += MAX_CHUNK) {
            int chunk = Math.min(MAX_CHUNK, count - done);
            try {
                long moved = (long) MOVE.invokeExact(
                        routine, address + done, here.asSlice((long) offset + done, chunk), (long) chunk);
            } catch (Throwable impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    @Override
    public int getInt(long address) {
        try {
            return (int) GET_INT.invokeExact(getInt, address);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public long getLong(long address) {
        try {
            return (long) GET_LONG.invokeExact(getLong, address);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void setInt(long address, int value) {
        try {
            SET_INT.invokeExact(setInt, address, value);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void setLong(long address, long value) {
        try {
            SET_LONG.invokeExact(setLong, address, value);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public boolean compareAndSetInt(long address, int expected, int next) {
        int found;
        try {
            found = (int) SWAP_INT.invokeExact(swapInt, address, expected, next);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
        return found == expected || !isMapped(address, Integer.BYTES);
    }

    @Override
    public boolean compareAndSetLong(long address, long expected, long next) {
        long found;
        try {
            found = (long) SWAP_LONG.invokeExact(swapLong, address, expected, next);
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
        return found == expected || !isMapped(address, Long.BYTES);
    }
}
