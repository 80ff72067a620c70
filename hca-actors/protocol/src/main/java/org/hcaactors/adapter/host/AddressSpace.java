// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.host;

import java.util.List;
import java.util.OptionalLong;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.HostMemory;

/** A process's 64-bit address space. Safe for several threads. */
public sealed interface AddressSpace permits ModelledSpace, ProgramSpace {
    static VerbsException unmapped(long address, long lengthBytes) {
        return VerbsException.invalid("no memory is mapped at 0x%x, %d bytes".formatted(address, lengthBytes));
    }

    /** Returns the refusal of memory that the process does not have. */
    static VerbsException foreign(HostMemory memory) {
        return VerbsException.invalid(
                memory.describe() + (memory.isMapped() ? ", does not belong to this process" : ", is unmapped"));
    }

    /** Returns the memory pinned by its regions. */
    LockedMemory locked();

    /** Returns the space as one that allocates memory; VerbsException (EOPNOTSUPP) if a program allocates it. */
    ModelledSpace allocating();

    /**
     * Maps a range of a program's memory at its own address. VerbsException: EFAULT if not all of it is mapped in the program,
     * EINVAL if it is no range below 2^63 and once the process exited, EOPNOTSUPP if the process belongs to no program.
     */
    MappedMemory mapAt(long address, long lengthBytes);

    /** Returns all bytes of the process. */
    ProcessBytes bytes();

    /** Returns the memory as this process's; VerbsException (EINVAL) if it belongs to another process or is unmapped. */
    MappedMemory require(HostMemory memory);

    /** Returns the pages of its memories, which some of them may share. */
    List<AllocatedPages> pages();

    /** Number of mapped memories. */
    int count();

    /** Begins the end of the process: pages are no longer brought in, and pages in use are invalidated. */
    void die();

    /** Unmaps all memory, since the process has ended; no more can be mapped. */
    void close();

    /** Notifies the watcher of invalidated pages from now on. */
    void watch(PageWatcher watcher);

    void unwatch(PageWatcher watcher);

    /** Returns the first address of the range for which no page can be brought in; empty if all of it is mapped. */
    OptionalLong firstUnmapped(long from, long count);

    /** Returns the first address of the range for which no page can be brought in for writing; empty if there is none. */
    OptionalLong firstUnwritable(long from, long count);

    // rule paging-huge
    /** Returns the first address of the range that is not on a huge page; empty if all of it is. */
    OptionalLong firstNotHuge(long from, long count);

    /** Returns the first address of a range that is not in physical memory, -1 for none. */
    long firstAbsent(long from, long count);

    /** Counts the pages of a range by their state; unmapped ones don't count. */
    PageCounts countPages(long from, long count);

    /** Makes the mapped pages of a range resident in physical memory. */
    void touch(long from, long count);

    /** Evicts the mapped pages of a range; returns how many were evicted. */
    long evict(long from, long count);
}
