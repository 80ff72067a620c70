// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.PageAbsent;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Access of a queue pair to host memory: uses the leases it holds, and requests those it lacks (rules memory-domain,
 * memory-right-of-verb, memory-each-packet). Call {@code reach} first, which changes nothing and may answer "not yet"; the copy
 * after it can't fail.
 */
public final class LocalMemory implements RequestAdmission {
    /** Accessibility of a memory range. */
    public enum Accessibility {
        READY,
        /** A lease, or a page that is waited for in place, has been requested; try again when the answer arrives. */
        AWAITING,
        /** Permitted, but the host must bring in pages first. */
        ABSENT,
        /** Unknown key, other protection domain, out of range, or a missing right. */
        FORBIDDEN
    }

    private final KeyUser user;
    private final LeaseCache leases;
    private final PageWaits waits;
    private @Nullable KeyDenied denied;
    private @Nullable Absence absence;

    /**
     * An access that found pages absent.
     *
     * @param presentBytes number of bytes before the first absent page
     */
    private record Absence(int key, @Nullable Access right, Lease.Absent what, long presentBytes) {}

    public LocalMemory(KeyUser user, LeaseCache leases, PageWaits waits) {
        this.user = user;
        this.leases = leases;
        this.waits = waits;
    }

    @Override
    public Optional<RequestRefused> refusal(Packet request, Turn turn) {
        return Optional.empty();
    }

    @Override
    public LocalMemory memory() {
        return this;
    }

    /** Returns the identity under which memory is accessed. */
    public KeyUser user() {
        return user;
    }

    /** Returns how accesses wait for absent pages. */
    public PageWaits waits() {
        return waits;
    }

    /**
     * Checks the range {@code [from, from+count)} of a scatter/gather list; writing requires LOCAL_WRITE. Only the bytes used
     * count: an element may extend beyond its region if the message ends before (rule memory-touched-bytes).
     */
    public Accessibility checkAccess(List<LocalSlice> slices, long from, long count, boolean writing, Turn turn) {
        Access right = writing ? Access.LOCAL_WRITE : null;
        if (slices.size() == 1) {
            return checkAccess(slices.get(0), 0, from, count, right, turn);
        }
        Accessibility all = Accessibility.READY;
        long at = 0;
        for (int i = 0; i < slices.size() && at < from + count; i++) {
            LocalSlice slice = slices.get(i);
            Absence earlier = all == Accessibility.ABSENT ? absence : null;
            Accessibility one = checkAccess(slice, at, from, count, right, turn);
            if (one == Accessibility.FORBIDDEN) {
                return one;
            }
            if (one == Accessibility.ABSENT) {
                absence = earlier != null ? earlier : underlyingAddress(Math.max(0, at - from));
            }
            all = all == Accessibility.AWAITING || one == Accessibility.READY ? all : one;
            at += slice.lengthBytes();
        }
        return all;
    }

    private Absence underlyingAddress(long bytes) {
        Absence of = lastAbsence();
        return new Absence(of.key, of.right, of.what, bytes + of.presentBytes);
    }

    // rule paging-whole-message
    /**
     * Extends the last page fault to the pages of the rest of the list.
     *
     * @param rest bytes from {@code from} on
     */
    public void widen(List<LocalSlice> slices, long from, long rest, boolean writing, Turn turn) {
        Absence narrow = lastAbsence();
        absence = checkAccess(slices, from, rest, writing, turn) == Accessibility.ABSENT ? lastAbsence() : narrow;
    }

    /** Extends the last page fault to the pages of the rest of a range under one key. */
    public void widen(int key, long address, long rest, Access right, Turn turn) {
        Absence narrow = lastAbsence();
        absence = checkAccess(key, address, rest, right, turn) == Accessibility.ABSENT ? lastAbsence() : narrow;
    }

    /**
     * Checks the part of the list's range {@code [from, from+count)} that lies in a slice; the slice begins {@code at} bytes
     * into the list.
     */
    @MutationPoint("local-memory.reach")
    private Accessibility checkAccess(
            LocalSlice slice, long at, long from, long count, @Nullable Access right, Turn turn) {
        long skip = Math.max(0, from - at);
        long touched = Math.min(at + slice.lengthBytes(), from + count) - at - skip;
        return touched > 0
                ? checkAccess(slice.lkey(), slice.address() + skip, touched, right, turn)
                : Accessibility.READY;
    }

    /**
     * @param count if 0, no byte is used, and only the key is checked
     * @param right required right, or null for local reads, which are always permitted
     */
    public Accessibility checkAccess(int key, long address, long count, @Nullable Access right, Turn turn) {
        Lease lease = leases.find(key);
        if (lease == null) {
            return lacking(key, right, turn);
        }
        Lease.Answer answer = lease.answer(user, address, count, right);
        // No pattern switch: this runs for every packet, and a switch costs a bootstrapped call on older JDKs.
        if (answer == Lease.Ready.READY) {
            return Accessibility.READY;
        }
        return answer instanceof Lease.Denied denial
                ? forbidden(key, right, denial.reason())
                : absent(key, right, (Lease.Absent) answer);
    }

    // rule paging-whole-message
    /** Checks a range of which only the first bytes must be present; if pages are absent, the fault covers the whole range. */
    public Accessibility checkAccess(int key, long address, long count, long needed, Access right, Turn turn) {
        Accessibility reach = checkAccess(key, address, count, right, turn);
        return reach == Accessibility.ABSENT && presentBytes() >= needed ? Accessibility.READY : reach;
    }

    private Accessibility absent(int key, @Nullable Access right, Lease.Absent what) {
        absence = new Absence(key, right, what, what.presentBytes());
        return Accessibility.ABSENT;
    }

    private Absence lastAbsence() {
        if (absence == null) {
            throw new IllegalStateException("no page was absent");
        }
        return absence;
    }

    /** Returns what the last access that was {@link Accessibility#ABSENT} lacks. */
    public Lease.Absent absent() {
        return lastAbsence().what;
    }

    /** Returns the number of that access's bytes before the first absent page. */
    public long presentBytes() {
        return lastAbsence().presentBytes;
    }

    /** Returns the reason why that access waits. */
    public PageAbsent whatIsAbsent() {
        return new PageAbsent(
                name(lastAbsence().right), lastAbsence().key, lastAbsence().what.from());
    }

    /** Refuses the last access that was absent, as it can't wait for the page or the page is not available. */
    public Accessibility forbidAbsent(Denial reason) {
        return forbidden(lastAbsence().key, lastAbsence().right, reason);
    }

    private Accessibility lacking(int key, @Nullable Access right, Turn turn) {
        Denial refused = leases.refusal(key);
        if (refused != null) {
            return forbidden(key, right, refused);
        }
        if (leases.request(key)) {
            turn.requestLease(key);
        }
        return Accessibility.AWAITING;
    }

    private Accessibility forbidden(int key, @Nullable Access right, Denial denial) {
        denied = new KeyDenied(name(right), key, denial);
        return Accessibility.FORBIDDEN;
    }

    private static KeyDenied.Name name(@Nullable Access right) {
        return right == null || right == Access.LOCAL_WRITE ? KeyDenied.Name.L_KEY : KeyDenied.Name.R_KEY;
    }

    /** Returns why the last forbidden access was forbidden. */
    public KeyDenied whyNot() {
        if (denied == null) {
            throw new IllegalStateException("no access was denied");
        }
        return denied;
    }

    /** Copies {@code count} bytes from the list, starting {@code from} bytes into it. */
    public void gather(List<LocalSlice> slices, long from, byte[] target, int targetOffset, int count, Turn turn) {
        if (slices.size() == 1 && count > 0) {
            gather(slices.get(0), from, target, targetOffset, count, turn);
        } else {
            gatherEach(slices, from, target, targetOffset, count, turn);
        }
    }

    private void gatherEach(List<LocalSlice> slices, long from, byte[] target, int targetOffset, int count, Turn turn) {
        long at = 0;
        int done = 0;
        for (int i = 0; done < count; i++) {
            LocalSlice slice = slices.get(i);
            long skip = from + done - at;
            if (skip < slice.lengthBytes()) {
                int part = (int) Math.min(count - done, slice.lengthBytes() - skip);
                gather(slice, skip, target, targetOffset + done, part, turn);
                done += part;
            }
            at += slice.lengthBytes();
        }
    }

    private void gather(LocalSlice slice, long from, byte[] target, int targetOffset, int count, Turn turn) {
        lease(slice.lkey()).load(slice.address() + from, target, targetOffset, count);
        turn.memoryRead(slice.lkey(), slice.address() + from, count, false);
    }

    /** True if there is a lease of the key whose memory can be lent to packets instead of copied. */
    public boolean canLend(int key) {
        Lease lease = leases.find(key);
        return lease != null && lease.canLend();
    }

    /**
     * Returns memory under a key, for which {@link #checkAccess} was READY, that is lent to packets; only if {@link #canLend}.
     *
     * @param packets number of packets, of equal length
     */
    public Octets lend(int key, long address, int count, int packets, Turn turn) {
        return turn.lent(lease(key).lend(address, count)).payload(packets);
    }

    /** Copies the bytes to the list, starting {@code from} bytes into it. */
    public void scatter(List<LocalSlice> slices, long from, Octets bytes, Turn turn) {
        if (slices.size() == 1 && bytes.length() > 0) {
            scatter(slices.get(0), from, bytes, 0, bytes.length(), turn);
        } else {
            scatterEach(slices, from, bytes, turn);
        }
    }

    private void scatterEach(List<LocalSlice> slices, long from, Octets bytes, Turn turn) {
        long at = 0;
        int done = 0;
        for (int i = 0; done < bytes.length(); i++) {
            LocalSlice slice = slices.get(i);
            long skip = from + done - at;
            if (skip < slice.lengthBytes()) {
                int part = (int) Math.min(bytes.length() - done, slice.lengthBytes() - skip);
                scatter(slice, skip, bytes, done, part, turn);
                done += part;
            }
            at += slice.lengthBytes();
        }
    }

    private void scatter(LocalSlice slice, long from, Octets bytes, int offset, int count, Turn turn) {
        lease(slice.lkey()).store(slice.address() + from, bytes, offset, count);
        turn.memoryWritten(slice.lkey(), slice.address() + from, bytes, offset, count, false);
    }

    /** Copies memory under a key for which {@link #checkAccess} was READY. */
    public void load(int key, long address, byte[] target, int targetOffset, int count, Turn turn) {
        lease(key).load(address, target, targetOffset, count);
        turn.memoryRead(key, address, count, true);
    }

    public void store(int key, long address, Octets bytes, Turn turn) {
        lease(key).store(address, bytes, 0, bytes.length());
        turn.memoryWritten(key, address, bytes, 0, bytes.length(), true);
    }

    /** True if data written under the key are commands (tunneled atomics). Call it only after {@link #checkAccess}. */
    @MutationPoint("local-memory.tunnels")
    public boolean tunnels(int key) {
        return lease(key).tunnels();
    }

    /** Returns the address behind the key, for the alignment check of an atomic. Call it only after {@link #checkAccess}. */
    public long underlyingAddress(int key, long address) {
        return lease(key).underlyingAddress(address);
    }

    /** Executes an atomic and returns the value before. Call it only after {@link #checkAccess}. */
    public AtomicValue update(int key, long address, Atomic atomic, AtomicUnit unit, Turn turn) {
        AtomicValue before = lease(key).update(address, atomic, unit);
        turn.atomicExecuted(key, address, before, atomic.after(before));
        return before;
    }

    /** Returns the lease of a key that was checked in this turn. */
    private Lease lease(int key) {
        Lease lease = leases.find(key);
        if (lease == null) {
            throw new IllegalStateException("key 0x%08x is used without a lease".formatted(key));
        }
        return lease;
    }
}
