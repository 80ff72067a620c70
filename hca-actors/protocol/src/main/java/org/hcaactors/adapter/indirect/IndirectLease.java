// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.indirect;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** Lease on an indirect key, which uses leases on the keys behind it. Its addresses begin at 0. */
final class IndirectLease implements Lease {
    private final long grant;
    private final int key;
    private final int domain;
    private final AccessFlags rights;
    private final LayoutTranslation shown;
    private final Lease[] parts;
    private final Origin origin;

    /** @param parents one lease for each key in the layout */
    IndirectLease(
            long grant, FilledIndirectKey key, FilledIndirectKey.Filling filling, List<Lease> parents, Origin origin) {
        this.grant = grant;
        this.key = key.key();
        this.domain = key.domain();
        this.rights = filling.rights();
        this.shown = filling.shown();
        this.parts = parents.toArray(Lease[]::new);
        this.origin = origin;
    }

    @Override
    public long grant() {
        return grant;
    }

    @Override
    public int key() {
        return key;
    }

    // rule indirect-rights
    @Override
    public Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
        if (domain != user.domain()) {
            return new Denied(new Denial.ForeignDomain(domain, user.domain()));
        }
        if (count != 0 && !shown.covers(from, count)) {
            return new Denied(new Denial.OutOfRange(0, shown.lengthBytes(), from, count));
        }
        if (right != null && !rights.allows(right)) {
            return new Denied(new Denial.MissingRight(right));
        }
        if (count == 0) {
            return Ready.READY;
        }
        return right == Access.REMOTE_ATOMIC && !isOneValue(from, count)
                ? new Denied(new Denial.NotOneWord(from, count))
                : partsAnswer(user, from, count, right);
    }

    @MutationPoint("indirect-lease.parts-answer")
    private Answer partsAnswer(KeyUser user, long from, long count, @Nullable Access right) {
        PartChecks asking = new PartChecks(user, right);
        shown.span(from, count, asking);
        if (asking.reason.isEmpty() && (asking.gapsCount || asking.lacks)) {
            asking.lacks = false;
            shown.walk(from, count, asking);
        }
        return asking.answer();
    }

    /**
     * Checks the parts until one refuses. An access may touch millions of pieces, so the parts are checked slice by slice,
     * which covers everything in one place, and piece by piece only if bytes between two pieces may belong to another part, or
     * a page is absent.
     */
    private final class PartChecks implements LayoutTranslation.Pieces, LayoutTranslation.Spans {
        private final KeyUser user;
        private final @Nullable Access right;
        private Optional<Denial> reason = Optional.empty();
        private boolean gapsCount;

        /** A page of a slice is absent, perhaps in a gap. */
        private boolean lacks;

        private Optional<Absent> absent = Optional.empty();

        PartChecks(KeyUser user, @Nullable Access right) {
            this.user = user;
            this.right = right;
        }

        @Override
        public boolean take(int part, long address, long count, boolean gaps) {
            switch (parts[part].answer(user, address, count, right)) {
                case Ready ready -> {}
                case Absent missing -> lacks = true;
                case Denied denied when gaps && parts[part].hasGaps() -> gapsCount = true;
                case Denied denied -> reason = Optional.of(ofPart(part, denied));
            }
            return reason.isEmpty();
        }

        @Override
        public boolean take(int part, long address, long done, long count) {
            switch (parts[part].answer(user, address, count, right)) {
                case Ready ready -> {}
                case Absent missing -> absent = absent.or(() -> Optional.of(missing.precededBy(done)));
                case Denied denied -> reason = Optional.of(ofPart(part, denied));
            }
            return reason.isEmpty() && (gapsCount || absent.isEmpty());
        }

        private Denial ofPart(int part, Denied denied) {
            return new Denial.OfPart(parts[part].key(), denied.reason());
        }

        Answer answer() {
            Optional<Answer> no = reason.map(Denied::new);
            return no.or(() -> absent).orElse(Ready.READY);
        }
    }

    /** Bytes in between may belong to another part. */
    @Override
    public boolean hasGaps() {
        return true;
    }

    // rule indirect-atomic
    private boolean isOneValue(long from, long count) {
        return shown.walk(from, count, (part, address, done, piece) -> piece == count && (address & count - 1) == 0);
    }

    @Override
    public void load(long from, byte[] target, int targetOffset, int count) {
        shown.walk(from, count, (part, address, done, piece) -> {
            parts[part].load(address, target, targetOffset + (int) done, (int) piece);
            return true;
        });
    }

    @Override
    public void store(long to, Octets source, int sourceOffset, int count) {
        shown.walk(to, count, (part, address, done, piece) -> {
            parts[part].store(address, source, sourceOffset + (int) done, (int) piece);
            return true;
        });
    }

    @Override
    public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
        AtomicValue[] before = new AtomicValue[1];
        shown.walk(at, atomic.sizeBytes(), (part, address, done, piece) -> {
            before[0] = parts[part].update(address, atomic, unit);
            return false;
        });
        return before[0];
    }

    /** The leases on the parts are released when no lease depends on them. */
    @Override
    public void release() {
        origin.released(grant);
    }
}
