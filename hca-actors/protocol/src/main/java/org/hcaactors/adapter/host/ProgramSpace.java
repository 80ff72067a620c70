// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent.Departure;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.ProgramMemory;

// rule memory-program
/**
 * The address space of a program outside of the JVM. The program allocates its memory; ranges of it are mapped here at the
 * program's own addresses, and may overlap. What the program has mapped is asked at each use. Safe for several threads.
 */
public final class ProgramSpace implements AddressSpace {
    private final ProgramStorage all;
    private final LockedMemory locked;
    private final PageWatchers watchers = new PageWatchers();
    private final Set<MappedMemory> mapped = new LinkedHashSet<>();
    private final MappedMemory.MappingListener listener;
    private volatile boolean dying;
    private volatile boolean closed;

    /**
     * @param maxLocked maximum number of bytes that its regions may pin; Long.MAX_VALUE for no limit
     * @param accesses receives the process's reads and writes
     */
    public ProgramSpace(ProgramMemory program, long maxLocked, ProcessAccesses accesses) {
        all = new ProgramStorage(program, 0);
        locked = new LockedMemory(maxLocked);
        listener = new MappedMemory.MappingListener() {
            @Override
            public void unmapped(MappedMemory memory) {
                forget(memory);
            }

            @Override
            public void accessed(long address, long count, boolean writes) {
                accesses.accessed(address, count, writes);
            }
        };
    }

    @Override
    public LockedMemory locked() {
        return locked;
    }

    @Override
    public ModelledSpace allocating() {
        throw new VerbsException(
                Errno.EOPNOTSUPP,
                "a process with a program's memory allocates none: the program does, and mapAt maps what it has");
    }

    @Override
    public MappedMemory mapAt(long address, long lengthBytes) {
        if (!isRange(address, lengthBytes)) {
            throw VerbsException.invalid(
                    "0x%x, %d bytes, can't be mapped; 0 bytes or more from 0 to 2^63 - 1 are allowed"
                            .formatted(address, lengthBytes));
        }
        long hole = all.firstGone(address, lengthBytes);
        if (hole >= 0) {
            throw notMapped(address, lengthBytes, hole);
        }
        return put(new MappedMemory(
                address,
                OptionalLong.empty(),
                lengthBytes,
                AllocatedPages.OF_A_PROGRAM,
                listener,
                PageResidency.Place.RESIDENT,
                new ProgramStorage(all.program(), address)));
    }

    static VerbsException notMapped(long address, long lengthBytes, long hole) {
        return new VerbsException(
                Errno.EFAULT,
                "0x%x, %d bytes, can't be used: the program has nothing mapped at 0x%x"
                        .formatted(address, lengthBytes, hole));
    }

    private static boolean isRange(long address, long lengthBytes) {
        return address >= 0 && lengthBytes >= 0 && lengthBytes <= Long.MAX_VALUE - address;
    }

    private synchronized MappedMemory put(MappedMemory made) {
        if (closed) {
            throw VerbsException.invalid("the process has exited; no memory can be mapped");
        }
        mapped.add(made);
        return made;
    }

    private synchronized void forget(MappedMemory memory) {
        mapped.remove(memory);
    }

    /** True if the process can read and write the whole range. */
    boolean isMapped(long address, long lengthBytes) {
        return !closed
                && isRange(address, lengthBytes)
                && (lengthBytes == 0 || all.program().isMapped(address, lengthBytes));
    }

    @Override
    public ProcessBytes bytes() {
        return new ProgramBytes(this, all);
    }

    @Override
    public synchronized MappedMemory require(HostMemory memory) {
        if (memory instanceof MappedMemory known && mapped.contains(known)) {
            return known;
        }
        throw AddressSpace.foreign(memory);
    }

    /** The modelled machine has none of its pages. */
    @Override
    public List<AllocatedPages> pages() {
        return List.of();
    }

    @Override
    public synchronized int count() {
        return mapped.size();
    }

    @Override
    public void die() {
        dying = true;
        watchers.invalidated(0, Long.MAX_VALUE, Departure.PROCESS_ENDED);
    }

    @Override
    public void close() {
        List<MappedMemory> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(mapped);
        }
        left.forEach(MappedMemory::unmap);
    }

    @Override
    public void watch(PageWatcher watcher) {
        watchers.add(watcher);
    }

    @Override
    public void unwatch(PageWatcher watcher) {
        watchers.remove(watcher);
    }

    @Override
    public OptionalLong firstUnmapped(long from, long count) {
        if (dying || !isRange(from, count)) {
            return OptionalLong.of(from);
        }
        return hole(all.firstGone(from, count));
    }

    private static OptionalLong hole(long at) {
        return at < 0 ? OptionalLong.empty() : OptionalLong.of(at);
    }

    @Override
    public OptionalLong firstUnwritable(long from, long count) {
        return dying || !isRange(from, count) ? OptionalLong.of(from) : hole(all.firstUnwritable(from, count));
    }

    /** The size of a program's pages is not known. */
    @Override
    public OptionalLong firstNotHuge(long from, long count) {
        return OptionalLong.of(from);
    }

    @Override
    public long firstAbsent(long from, long count) {
        return firstUnmapped(from, count).orElse(-1);
    }

    /** Counts the pages before the first one that is not mapped, as resident: the machine that has them is not modelled. */
    @Override
    public PageCounts countPages(long from, long count) {
        long end = firstUnmapped(from, count).orElse(from + count);
        return new PageCounts(LockedMemory.pages(from, end - from), 0, 0);
    }

    @Override
    public void touch(long from, long count) {}

    @Override
    public long evict(long from, long count) {
        return 0;
    }
}
