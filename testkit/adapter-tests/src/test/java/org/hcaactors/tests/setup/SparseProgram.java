// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.setup;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.hcaactors.api.memory.ProgramMemory;

/**
 * Memory of a program as a test has it: pages that it maps and unmaps at any address, of which only those with content take
 * memory. Safe for several threads.
 */
public final class SparseProgram implements ProgramMemory {
    public static final int PAGE = 4096;

    /** Mapped ranges: the number of the first page, and of the page after the last. */
    private final TreeMap<Long, Long> mapped = new TreeMap<>();

    private final TreeMap<Long, ByteBuffer> contents = new TreeMap<>();

    /** Maps zeros to whole pages. */
    public synchronized SparseProgram map(long address, long lengthBytes) {
        unmap(address, lengthBytes);
        mapped.put(address / PAGE, (address + lengthBytes) / PAGE);
        return this;
    }

    /** Unmaps whole pages, whatever is mapped there. */
    public synchronized void unmap(long address, long lengthBytes) {
        long first = address / PAGE;
        long end = (address + lengthBytes) / PAGE;
        cut(first);
        cut(end);
        mapped.subMap(first, end).clear();
        contents.subMap(first, end).clear();
    }

    /** Divides the range that the page lies in, so that one begins with it. */
    private void cut(long page) {
        Map.Entry<Long, Long> range = mapped.lowerEntry(page);
        if (range != null && range.getValue() > page) {
            mapped.put(page, range.getValue());
            mapped.put(range.getKey(), page);
        }
    }

    /** Reads as the program itself does; its pages are mapped. */
    public byte[] read(long address, int count) {
        byte[] bytes = new byte[count];
        load(address, bytes, 0, count);
        return bytes;
    }

    /** Writes as the program itself does; its pages are mapped. */
    public void write(long address, byte... bytes) {
        store(address, bytes, 0, bytes.length);
    }

    @Override
    public synchronized boolean isMapped(long address, long lengthBytes) {
        long last = (address + lengthBytes - 1) / PAGE;
        long page = address / PAGE;
        while (page <= last) {
            Map.Entry<Long, Long> range = mapped.floorEntry(page);
            if (range == null || range.getValue() <= page) {
                return false;
            }
            page = range.getValue();
        }
        return true;
    }

    /** A part of an access that lies in one page. */
    private interface Part {
        void move(long address, int done, int count);
    }

    private static void eachPage(long from, int count, Part part) {
        int done = 0;
        while (done < count) {
            int piece = Math.min(count - done, PAGE - at(from + done));
            part.move(from + done, done, piece);
            done += piece;
        }
    }

    private ByteBuffer page(long address) {
        return contents.computeIfAbsent(
                address / PAGE, number -> ByteBuffer.allocate(PAGE).order(ByteOrder.nativeOrder()));
    }

    private static int at(long address) {
        return (int) (address % PAGE);
    }

    @Override
    public synchronized void load(long from, byte[] target, int offset, int count) {
        eachPage(from, count, (address, done, piece) -> {
            if (contents.containsKey(address / PAGE)) {
                page(address).get(at(address), target, offset + done, piece);
            } else {
                Arrays.fill(target, offset + done, offset + done + piece, (byte) 0);
            }
        });
    }

    @Override
    public synchronized void store(long to, byte[] source, int offset, int count) {
        eachPage(to, count, (address, done, piece) -> {
            if (isMapped(address, piece)) {
                page(address).put(at(address), source, offset + done, piece);
            }
        });
    }

    @Override
    public synchronized int getInt(long address) {
        return isMapped(address, Integer.BYTES) ? page(address).getInt(at(address)) : 0;
    }

    @Override
    public synchronized long getLong(long address) {
        return isMapped(address, Long.BYTES) ? page(address).getLong(at(address)) : 0;
    }

    @Override
    public synchronized void setInt(long address, int value) {
        if (isMapped(address, Integer.BYTES)) {
            page(address).putInt(at(address), value);
        }
    }

    @Override
    public synchronized void setLong(long address, long value) {
        if (isMapped(address, Long.BYTES)) {
            page(address).putLong(at(address), value);
        }
    }

    @Override
    public synchronized boolean compareAndSetInt(long address, int expected, int next) {
        if (!isMapped(address, Integer.BYTES)) {
            return true;
        }
        boolean same = getInt(address) == expected;
        setInt(address, same ? next : getInt(address));
        return same;
    }

    @Override
    public synchronized boolean compareAndSetLong(long address, long expected, long next) {
        if (!isMapped(address, Long.BYTES)) {
            return true;
        }
        boolean same = getLong(address) == expected;
        setLong(address, same ? next : getLong(address));
        return same;
    }
}
