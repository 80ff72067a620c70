// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.window;

import java.util.Optional;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Lease on a window. The region's remote rights do not matter, since the bind checked that the window may have these rights
 * (rule window-rights).
 *
 * @param region lease on the region behind it
 */
record WindowLease(long grant, BoundWindow window, Lease region, Origin origin) implements Lease {
    @Override
    public int key() {
        return window.key();
    }

    @Override
    public Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
        Optional<Denial> reason = denial(user, from, count, right);
        if (reason.isPresent()) {
            return new Denied(reason.get());
        }
        // The bind checked the right to write, too; pages are brought in for reading or writing accordingly.
        Access local = right == Access.REMOTE_READ ? null : Access.LOCAL_WRITE;
        Answer answer = region.answer(user, window.underlyingAddress(from), count, local);
        return answer instanceof Denied denied ? new Denied(new Denial.OfPart(region.key(), denied.reason())) : answer;
    }

    // rule window-use
    private Optional<Denial> denial(KeyUser user, long from, long count, @Nullable Access right) {
        Optional<Denial> foreign = window.foreigner(user);
        if (foreign.isPresent()) {
            return foreign;
        }
        if (right == null || right == Access.LOCAL_WRITE) {
            return Optional.of(new Denial.RemoteOnly());
        }
        if (count != 0 && !covers(from, count)) {
            return Optional.of(
                    new Denial.OutOfRange(window.first(), window.bind().lengthBytes(), from, count));
        }
        return window.allows(right) ? Optional.empty() : Optional.of(new Denial.MissingRight(right));
    }

    @MutationPoint("window-lease.covers")
    private boolean covers(long from, long count) {
        long offset = from - window.first();
        long lengthBytes = window.bind().lengthBytes();
        return offset >= 0 && count >= 0 && offset <= lengthBytes && count <= lengthBytes - offset;
    }

    // rule rc-atomic-aligned
    /** A zero-based window may begin in the middle of a word. */
    @Override
    public long underlyingAddress(long address) {
        return window.underlyingAddress(address);
    }

    @Override
    public void load(long from, byte[] target, int targetOffset, int count) {
        region.load(window.underlyingAddress(from), target, targetOffset, count);
    }

    @Override
    public void store(long to, Octets source, int sourceOffset, int count) {
        region.store(window.underlyingAddress(to), source, sourceOffset, count);
    }

    @Override
    public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
        return region.update(window.underlyingAddress(at), atomic, unit);
    }

    @Override
    public void release() {
        origin.released(grant);
    }
}
