// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.mutation.MutationPoint;

/**
 * Unit that executes an adapter's atomics, one after the other on each cache line, whatever queue pair and key they arrive by
 * (rules memory-atomic, atomic-scope). Any thread.
 */
public final class AtomicUnit {
    /** Number of locks; atomics on lines with the same lock are serialized, too. */
    private static final int LOCKS = 64;

    private final AtomicCapabilities capabilities;
    private final ByteOrder hostOrder;
    private final Object[] locks = Stream.generate(Object::new).limit(LOCKS).toArray();

    /** @param hostOrder byte order of numbers in the host's memory */
    public AtomicUnit(AtomicCapabilities capabilities, ByteOrder hostOrder) {
        this.capabilities = capabilities;
        this.hostOrder = hostOrder;
    }

    /** Executes an atomic; returns the value before. */
    @MutationPoint("atomic-unit.update")
    public AtomicValue update(AtomicCell cell, Atomic atomic) {
        return locked(lock(cell.firstLine()), lock(cell.lastLine()), cell, atomic);
    }

    private static int lock(long line) {
        return (int) Long.remainderUnsigned(line, LOCKS);
    }

    /**
     * Takes all locks between those of the first and the last line, in ascending order. A value of up to 64 bytes lies in at
     * most two lines, a longer one in several.
     */
    private AtomicValue locked(int first, int last, AtomicCell cell, Atomic atomic) {
        int low = Math.min(first, last);
        int high = Math.max(first, last);
        return inOrder(low, high, cell, atomic);
    }

    private AtomicValue inOrder(int from, int to, AtomicCell cell, Atomic atomic) {
        synchronized (locks[from]) {
            return from == to ? changed(cell, atomic) : inOrder(from + 1, to, cell, atomic);
        }
    }

    private AtomicValue changed(AtomicCell cell, Atomic atomic) {
        boolean byTheHost = capabilities.scope() == AtomicScope.GLOBAL || atomic instanceof StoreAtomic;
        if (byTheHost && atomic.sizeBytes() <= Long.BYTES) {
            return changedForAll(cell, atomic);
        }
        AtomicValue before = cell.load();
        AtomicValue after = atomic.after(before);
        if (!after.equals(before)) {
            cell.store(after);
        }
        return before;
    }

    private static AtomicValue changedForAll(AtomicCell cell, Atomic atomic) {
        while (true) {
            AtomicValue before = cell.load();
            AtomicValue after = atomic.after(before);
            if (after.equals(before) || cell.replace(before, after)) {
                return before;
            }
        }
    }

    // rule atomic-reply-order
    /** Returns the byte order of a result in the requester's memory. */
    public ByteOrder replyOrder(int sizeBytes, boolean masked) {
        if (masked) {
            return capabilities.maskedReplyOrder(sizeBytes, hostOrder);
        }
        return capabilities.bigEndianReplies() ? ByteOrder.BIG_ENDIAN : hostOrder;
    }

    /** True if results of plain atomics have another byte order than the host, which a queue pair must know. */
    public boolean repliesSwapped() {
        return capabilities.repliesSwappedOn(hostOrder);
    }
}
