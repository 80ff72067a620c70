// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import org.hcaactors.api.memory.ProgramMemory;

/** Memory of a program: pages of one buffer from an address on, each of which can be unmapped or made read-only. Safe for several threads. */
final class BufferedProgram implements ProgramMemory {
    static final int PAGE = 4096;

    final long first;
    private final ByteBuffer bytes;
    private final BitSet unmapped = new BitSet();
    private final BitSet readOnly = new BitSet();
    private int calls;

    BufferedProgram(long first, int pages) {
        this.first = first;
        bytes = ByteBuffer.allocateDirect(pages * PAGE).order(ByteOrder.nativeOrder());
    }

    synchronized void unmap(int page) {
        unmapped.set(page);
    }

    synchronized void map(int page) {
        unmapped.clear(page);
    }

    /** Lets the program only read a page. */
    synchronized void protect(int page) {
        readOnly.set(page);
    }

    /** Number of calls of {@link #isMapped} since the last call of this method. */
    synchronized int calls() {
        int counted = calls;
        calls = 0;
        return counted;
    }

    @Override
    public synchronized boolean isMapped(long address, long lengthBytes) {
        calls++;
        return has(address, lengthBytes);
    }

    @Override
    public synchronized boolean isWritable(long address, long lengthBytes) {
        long at = address - first;
        int page = readOnly.nextSetBit((int) (at / PAGE));
        return has(address, lengthBytes) && (page < 0 || page > (at + lengthBytes - 1) / PAGE);
    }

    private boolean has(long address, long lengthBytes) {
        long at = address - first;
        if (at < 0 || lengthBytes > bytes.capacity() - at) {
            return false;
        }
        int hole = unmapped.nextSetBit((int) (at / PAGE));
        return hole < 0 || hole > (at + lengthBytes - 1) / PAGE;
    }

    private int at(long address) {
        return (int) (address - first);
    }

    @Override
    public synchronized void load(long from, byte[] target, int offset, int count) {
        if (has(from, count)) {
            bytes.get(at(from), target, offset, count);
        } else {
            Arrays.fill(target, offset, offset + count, (byte) 0);
        }
    }

    @Override
    public synchronized void store(long to, byte[] source, int offset, int count) {
        if (has(to, count)) {
            bytes.put(at(to), source, offset, count);
        }
    }

    @Override
    public synchronized int getInt(long address) {
        return has(address, Integer.BYTES) ? bytes.getInt(at(address)) : 0;
    }

    @Override
    public synchronized long getLong(long address) {
        return has(address, Long.BYTES) ? bytes.getLong(at(address)) : 0;
    }

    @Override
    public synchronized void setInt(long address, int value) {
        if (has(address, Integer.BYTES)) {
            bytes.putInt(at(address), value);
        }
    }

    @Override
    public synchronized void setLong(long address, long value) {
        if (has(address, Long.BYTES)) {
            bytes.putLong(at(address), value);
        }
    }

    @Override
    public synchronized boolean compareAndSetInt(long address, int expected, int next) {
        boolean gone = !has(address, Integer.BYTES);
        boolean equal = !gone && bytes.getInt(at(address)) == expected;
        if (equal) {
            bytes.putInt(at(address), next);
        }
        return gone || equal;
    }

    @Override
    public synchronized boolean compareAndSetLong(long address, long expected, long next) {
        boolean gone = !has(address, Long.BYTES);
        boolean equal = !gone && bytes.getLong(at(address)) == expected;
        if (equal) {
            bytes.putLong(at(address), next);
        }
        return gone || equal;
    }
}
