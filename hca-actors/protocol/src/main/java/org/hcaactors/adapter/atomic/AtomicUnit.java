// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.atomic;

import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.hcaactors.api.capability.AtomicCapabilities;
import org.hcaactors.api.capability.AtomicScope;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.mutation.MutationPoint;

/**
 * Where an adapter carries out its atomics, one after the other on a line of memory, whatever queue pair and key they come
 * by (rules memory-atomic, atomic-scope). Any thread.
 */
public final class AtomicUnit {
    /** Lines that share one are carried out one after the other, too. */
    private static final int LOCKS = 64;

    private final AtomicCapabilities capabilities;
    private final ByteOrder hostOrder;
    private final Object[] locks = Stream.generate(Object::new).limit(LOCKS).toArray();

    /** @param hostOrder of numbers in the host's memory */
    public AtomicUnit(AtomicCapabilities capabilities, ByteOrder hostOrder) {
        this.capabilities = capabilities;
        this.hostOrder = hostOrder;
    }

    /** Returns the value before. */
    @MutationPoint("atomic-unit.update")
    public AtomicValue update(AtomicCell cell, Atomic atomic) {
        return locked(lock(cell.firstLine()), lock(cell.lastLine()), cell, atomic);
    }

    private static int lock(long line) {
        return (int) Long.remainderUnsigned(line, LOCKS);
    }

    /** A value of up to 64 bytes lies in two lines at most; one of more lies in several, and has all of them. */
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
    /** The order of the bytes of a result in the requester's memory. */
    public ByteOrder replyOrder(int sizeBytes, boolean masked) {
        if (masked) {
            return capabilities.maskedReplyOrder(sizeBytes, hostOrder);
        }
        return capabilities.bigEndianReplies() ? ByteOrder.BIG_ENDIAN : hostOrder;
    }

    /** Its plain results stand in another order than the host's, which a queue pair has to know of. */
    public boolean repliesSwapped() {
        return capabilities.repliesSwappedOn(hostOrder);
    }
}
