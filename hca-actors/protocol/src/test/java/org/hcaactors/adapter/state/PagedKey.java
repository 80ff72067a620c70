// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.lease.Pager;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/** The key of a side's memory, for which a test sets the present pages. */
public final class PagedKey implements Lease {
    public static final int PAGE = 4096;

    private static final Pager NOBODY = (queuePair, fault, listener) -> {};

    private final Side side;
    private final Lease whole;
    private final Set<Long> absent = new TreeSet<>();
    private int asked;

    private PagedKey(Side side) {
        this.side = side;
        whole = side.lease(Side.KEY);
    }

    /** Installs the key on a side; every page is present. */
    public static PagedKey of(Side side) {
        PagedKey key = new PagedKey(side);
        side.keys.put(Side.KEY, key);
        return key;
    }

    /** Number of checks of a range. */
    public int asked() {
        return asked;
    }

    /** Makes pages absent. */
    public void evict(int... pages) {
        for (int page : pages) {
            absent.add((long) page);
        }
    }

    /** Makes a page present without a fault. */
    public void comes(int page) {
        absent.remove((long) page);
    }

    /** Answers the pending fault, with its pages present. */
    public void serve(long now) {
        PageFault fault = fault();
        long first = page(fault.absence().from());
        long last = page(fault.absence().from() + fault.absence().count() - 1);
        absent.removeIf(page -> page >= first && page <= last);
        answer(Optional.empty(), now);
    }

    /** Answers the pending fault: there is no memory. */
    public void refuse(long now) {
        answer(Optional.of(new Denial.NotMapped(fault().absence().from())), now);
    }

    /** Answers the pending fault without making pages present. */
    public void answer(Optional<Denial> refusal, long now) {
        Map.Entry<Long, PageFault> out = List.copyOf(side.faults.entrySet()).getFirst();
        side.faults.remove(out.getKey());
        side.machine.pagesServed(out.getValue().kind(), out.getKey(), refusal, side.at(now));
    }

    /** Returns the pending fault; there must be exactly one. */
    public PageFault fault() {
        if (side.faults.size() != 1) {
            throw new AssertionError("faults that are out: " + side.faults);
        }
        return side.faults.values().iterator().next();
    }

    private static boolean writes(@Nullable Access right) {
        return right != null && right != Access.REMOTE_READ;
    }

    private long page(long address) {
        return (address - side.memory.address()) / PAGE;
    }

    @Override
    public Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
        asked++;
        Answer answer = whole.answer(user, from, count, right);
        if (answer != Ready.READY || count == 0) {
            return answer;
        }
        for (long page = page(from); page <= page(from + count - 1); page++) {
            if (absent.contains(page)) {
                long at = Math.max(from, side.memory.address() + page * PAGE);
                return new Absent(at - from, NOBODY, at, from + count - at, writes(right));
            }
        }
        return answer;
    }

    @Override
    public long grant() {
        return whole.grant();
    }

    @Override
    public int key() {
        return whole.key();
    }

    @Override
    public void load(long from, byte[] target, int targetOffset, int count) {
        whole.load(from, target, targetOffset, count);
    }

    @Override
    public void store(long to, Octets source, int sourceOffset, int count) {
        whole.store(to, source, sourceOffset, count);
    }

    @Override
    public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
        return whole.update(at, atomic, unit);
    }

    @Override
    public void release() {
        whole.release();
    }
}
