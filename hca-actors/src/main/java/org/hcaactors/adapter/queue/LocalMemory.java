// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.queue;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.memory.Lease;
import org.hcaactors.adapter.memory.LeaseCache;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair's way into host memory: through the leases it holds, and by asking for those it lacks (rules memory-domain,
 * memory-right-of-verb, memory-each-packet). First {@code
 * reach}, which changes nothing and may say "not yet"; then the copy, which then cannot fail.
 */
final class LocalMemory {
    /** Whether some memory can be used now. */
    enum Reach {
        READY,
        /** A lease was asked for; try again when its answer is in. */
        AWAITING_LEASE,
        /** Unknown key, foreign protection domain, out of range, or a right is missing. */
        FORBIDDEN
    }

    private final int domain;
    private final LeaseCache leases;

    LocalMemory(int domain, LeaseCache leases) {
        this.domain = domain;
        this.leases = leases;
    }

    /**
     * The part {@code [from, from+count)} of a scatter/gather list; writing needs LOCAL_WRITE. Only what is touched counts:
     * an element may reach beyond its region if the message ends before (rule memory-touched-bytes).
     */
    Reach reach(List<LocalSlice> slices, long from, long count, boolean writing, Turn turn) {
        Reach all = Reach.READY;
        long at = 0;
        for (int i = 0; i < slices.size() && at < from + count; i++) {
            LocalSlice slice = slices.get(i);
            long end = at + slice.lengthBytes();
            if (slice.lengthBytes() > 0 && end > from) {
                long skip = Math.max(0, from - at);
                long touched = Math.min(end, from + count) - at - skip;
                Reach one = reach(slice.lkey(), slice.address() + skip, touched, localRight(writing), turn);
                if (one == Reach.FORBIDDEN) {
                    return one;
                }
                all = one == Reach.READY ? all : one;
            }
            at = end;
        }
        return all;
    }

    private static @Nullable Access localRight(boolean writing) {
        return writing ? Access.LOCAL_WRITE : null;
    }

    /**
     * @param count where it is 0, no byte is used: the key alone counts
     * @param right needed, or null where reading locally, which is always allowed
     */
    Reach reach(int key, long address, long count, @Nullable Access right, Turn turn) {
        Lease lease = leases.find(key);
        if (lease == null) {
            if (leases.isRefused(key)) {
                return Reach.FORBIDDEN;
            }
            if (leases.ask(key)) {
                turn.askLease(key);
            }
            return Reach.AWAITING_LEASE;
        }
        boolean legal = lease.domain() == domain
                && (count == 0 || lease.covers(address, count))
                && (right == null || lease.allows(right));
        return legal ? Reach.READY : Reach.FORBIDDEN;
    }

    /** Why {@link #reach} of a list is forbidden. */
    String whyNot(List<LocalSlice> slices, long from, long count, boolean writing) {
        long at = 0;
        for (int i = 0; i < slices.size() && at < from + count; i++) {
            LocalSlice slice = slices.get(i);
            long end = at + slice.lengthBytes();
            if (slice.lengthBytes() > 0 && end > from) {
                long skip = Math.max(0, from - at);
                long touched = Math.min(end, from + count) - at - skip;
                Optional<String> fault = fault(slice.lkey(), slice.address() + skip, touched, localRight(writing));
                if (fault.isPresent()) {
                    return fault.get();
                }
            }
            at = end;
        }
        return "nothing forbids it";
    }

    /** Why {@link #reach} of a range is forbidden. */
    String whyNot(int key, long address, long count, @Nullable Access right) {
        return fault(key, address, count, right).orElse("nothing forbids it");
    }

    private Optional<String> fault(int key, long address, long count, @Nullable Access right) {
        String name = (right == null || right == Access.LOCAL_WRITE ? "L_Key" : "R_Key") + " 0x%08x".formatted(key);
        Lease lease = leases.find(key);
        if (lease == null) {
            return leases.isRefused(key) ? Optional.of(name + " is not registered, or not any more") : Optional.empty();
        }
        if (lease.domain() != domain) {
            return Optional.of(name + " belongs to protection domain " + lease.domain() + "; " + domain + " is needed");
        }
        if (count > 0 && !lease.covers(address, count)) {
            return Optional.of(name + " covers " + lease.lengthBytes()
                    + " bytes from 0x%x; %d from 0x%x are not inside".formatted(lease.address(), count, address));
        }
        return right == null || lease.allows(right) ? Optional.empty() : Optional.of(name + " does not allow " + right);
    }

    /** Copies {@code count} bytes out of the list, from {@code from} bytes into it. */
    void gather(List<LocalSlice> slices, long from, byte[] target, int targetOffset, int count, Turn turn) {
        long at = 0;
        int done = 0;
        for (int i = 0; i < slices.size() && done < count; i++) {
            LocalSlice slice = slices.get(i);
            long skip = from + done - at;
            if (skip < slice.lengthBytes()) {
                int part = (int) Math.min(count - done, slice.lengthBytes() - skip);
                lease(slice.lkey()).memory().load(slice.address() + skip, target, targetOffset + done, part);
                turn.memoryRead(slice.lkey(), slice.address() + skip, part, false);
                done += part;
            }
            at += slice.lengthBytes();
        }
    }

    /** Copies the bytes into the list, from {@code from} bytes into it. */
    void scatter(List<LocalSlice> slices, long from, Octets bytes, Turn turn) {
        long at = 0;
        int done = 0;
        for (int i = 0; i < slices.size() && done < bytes.length(); i++) {
            LocalSlice slice = slices.get(i);
            long skip = from + done - at;
            if (skip < slice.lengthBytes()) {
                int part = (int) Math.min(bytes.length() - done, slice.lengthBytes() - skip);
                lease(slice.lkey()).memory().store(slice.address() + skip, bytes, done, part);
                turn.memoryWritten(slice.lkey(), slice.address() + skip, bytes, done, part, false);
                done += part;
            }
            at += slice.lengthBytes();
        }
    }

    /** Copies under a key that was reached. */
    void load(int key, long address, byte[] target, int targetOffset, int count, Turn turn) {
        lease(key).memory().load(address, target, targetOffset, count);
        turn.memoryRead(key, address, count, true);
    }

    void store(int key, long address, Octets bytes, Turn turn) {
        lease(key).memory().store(address, bytes, 0, bytes.length());
        turn.memoryWritten(key, address, bytes, 0, bytes.length(), true);
    }

    /** Stores {@code swap} if the word is {@code compare}; returns the word before. */
    long compareAndSwap(ExtendedHeader.AtomicEth request, Turn turn) {
        long before = lease(request.rkey())
                .memory()
                .compareAndSwap(request.address(), request.compare(), request.swapOrAdd());
        long after = before == request.compare() ? request.swapOrAdd() : before;
        turn.atomicExecuted(request.rkey(), request.address(), before, after);
        return before;
    }

    /** Adds modulo 2^64; returns the word before. */
    long fetchAndAdd(ExtendedHeader.AtomicEth request, Turn turn) {
        long before = lease(request.rkey()).memory().fetchAndAdd(request.address(), request.swapOrAdd());
        turn.atomicExecuted(request.rkey(), request.address(), before, before + request.swapOrAdd());
        return before;
    }

    /** The lease on a key that was reached in this turn. */
    private Lease lease(int key) {
        Lease lease = leases.find(key);
        if (lease == null) {
            throw new IllegalStateException("key 0x%08x is used without a lease".formatted(key));
        }
        return lease;
    }
}
