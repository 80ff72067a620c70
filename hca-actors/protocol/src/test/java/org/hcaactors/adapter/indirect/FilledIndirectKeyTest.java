// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.indirect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.atomic.EightBytes;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.KeyDenied;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.adapter.host.MappedMemory;
import org.hcaactors.adapter.host.ModelledSpace;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.ParentKey;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.region.Region;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes of an indirect key, and access through it. */
class FilledIndirectKeyTest {
    private static final int KEY = 0x700;
    private static final int DOMAIN = 3;
    private static final KeyUser USER = new KeyUser(DOMAIN, 17);
    private static final int FIRST = 0x900;
    private static final int SECOND = 0xA00;

    private final MappedMemory memory = new ModelledSpace().allocate(256);
    private final FilledIndirectKey empty = FilledIndirectKey.empty(KEY, DOMAIN, 3, false);

    private Region region(int key, int domain, AccessFlags rights) {
        return new Region(key, domain, memory.address(), 256, rights, memory);
    }

    private Lease part(int key, AccessFlags rights) {
        return region(key, DOMAIN, rights).lease(key, grant -> {}, List.of());
    }

    private KeyLayout list(long... offsets) {
        return KeyLayout.list(IntStream.range(0, offsets.length)
                .mapToObj(i -> new LocalSlice(i % 2 == 0 ? FIRST : SECOND, memory.address() + offsets[i], 8))
                .toList());
    }

    private static KeyChange fill(KeyLayout layout, AccessFlags rights) {
        return new KeyChange.Show(KEY, rights, layout, USER);
    }

    private static TranslatedKey becomes(TranslatedKey before, KeyChange change) {
        return ((TranslatedKey.ChangeResult.Becomes) before.apply(change)).next();
    }

    private static Denial refused(TranslatedKey before, KeyChange change) {
        return ((TranslatedKey.ChangeResult.Refused) before.apply(change)).reason();
    }

    private TranslatedKey filled(KeyLayout layout, AccessFlags rights) {
        return becomes(empty, fill(layout, rights));
    }

    private Lease lease(KeyLayout layout, AccessFlags own, Lease... parts) {
        return filled(layout, own).lease(1, grant -> {}, List.of(parts));
    }

    private static Lease.Answer answer(Lease lease, long from, long count, @Nullable Access right) {
        return lease.answer(USER, from, count, right);
    }

    private static Lease.Denied denied(Denial reason) {
        return new Lease.Denied(reason);
    }

    // rule indirect-empty
    @Test
    void anEmptyIndirectKeyRefusesAllAccess() {
        assertThat(empty.denial()).contains(new Denial.NotBound());
        assertThat(empty.parents()).isEmpty();
        assertThat(filled(list(0), AccessFlags.NONE).denial()).isEmpty();
    }

    // rules indirect-fill, indirect-parts
    @Test
    void anIndirectKeyIsRefilledAndHoldsNoParts() {
        TranslatedKey first = filled(list(0, 64), AccessFlags.NONE);
        assertThat(first.parents()).containsExactly(ParentKey.of(FIRST), ParentKey.of(SECOND));
        TranslatedKey second = becomes(first, fill(list(8), AccessFlags.NONE));
        assertThat(second.parents()).containsExactly(ParentKey.of(FIRST));
        assertThat(second.partDenial()).isEmpty();
    }

    // rules indirect-fill, memory-domain
    @Test
    void anotherDomainOrVariantOrTooManyEntriesDoNotFillIt() {
        assertThat(refused(empty, new KeyChange.Show(KEY + 1, AccessFlags.NONE, list(0), USER)))
                .isEqualTo(new Denial.Unregistered());
        assertThat(refused(empty, new KeyChange.Show(KEY, AccessFlags.NONE, list(0), new KeyUser(9, 17))))
                .isEqualTo(new Denial.ForeignDomain(DOMAIN, 9));
        assertThat(refused(empty, fill(list(0, 8, 16, 24), AccessFlags.NONE)))
                .isEqualTo(new Denial.TooManyEntries(4, 3));
        assertThat(refused(empty, new KeyChange.Reregister(empty))).isEqualTo(new Denial.UnsupportedChange());
    }

    // rule indirect-invalidate
    @Test
    void anInvalidatedKeyMapsNothingRemotelyOnlyIfAllowed() {
        TranslatedKey full = filled(list(0), AccessFlags.NONE);
        KeyChange here = new KeyChange.Invalidate(KEY, false, USER);
        KeyChange there = new KeyChange.Invalidate(KEY, true, USER);
        assertThat(becomes(full, here)).isEqualTo(empty);
        assertThat(becomes(empty, here)).isEqualTo(empty);
        assertThat(refused(full, there)).isEqualTo(new Denial.NotRemotelyInvalidatable());
        assertThat(refused(full, new KeyChange.Invalidate(KEY + 1, false, USER)))
                .isEqualTo(new Denial.Unregistered());
        assertThat(refused(full, new KeyChange.Invalidate(KEY, false, new KeyUser(9, 17))))
                .isEqualTo(new Denial.ForeignDomain(DOMAIN, 9));
        FilledIndirectKey open = FilledIndirectKey.empty(KEY, DOMAIN, 3, true);
        assertThat(becomes(becomes(open, fill(list(0), AccessFlags.NONE)), there))
                .isEqualTo(open);
    }

    // rule indirect-rights
    @ParameterizedTest
    @EnumSource(
            value = Access.class,
            names = {"LOCAL_WRITE", "REMOTE_WRITE", "REMOTE_READ", "REMOTE_ATOMIC"})
    void aRightNeedsBothTheKeyAndThePart(Access right) {
        AccessFlags with = AccessFlags.of(right);
        Lease allows = part(FIRST, with);
        Lease refuses = part(SECOND, AccessFlags.NONE);
        assertThat(answer(lease(list(0), with, allows), 0, 8, right)).isEqualTo(Lease.Ready.READY);
        assertThat(answer(lease(list(0), AccessFlags.NONE, allows), 0, 8, right))
                .isEqualTo(denied(new Denial.MissingRight(right)));
        Lease both = lease(list(0, 64), with, allows, refuses);
        assertThat(answer(both, 0, 8, right)).isEqualTo(Lease.Ready.READY);
        assertThat(answer(both, 8, 8, right))
                .isEqualTo(denied(new Denial.OfPart(SECOND, new Denial.MissingRight(right))));
        assertThat(answer(lease(list(0), AccessFlags.NONE, refuses), 0, 8, null))
                .isEqualTo(Lease.Ready.READY);
    }

    // rules indirect-rights, memory-domain
    @Test
    void theDomainOfTheKeyAndOfEveryPartCount() {
        Lease foreign = region(FIRST, 9, AccessFlags.NONE).lease(2, grant -> {}, List.of());
        Lease own = lease(list(0), AccessFlags.NONE, foreign);
        assertThat(answer(own, 0, 1, null))
                .isEqualTo(denied(new Denial.OfPart(FIRST, new Denial.ForeignDomain(9, DOMAIN))));
        assertThat(own.answer(new KeyUser(9, 17), 0, 1, null)).isEqualTo(denied(new Denial.ForeignDomain(DOMAIN, 9)));
    }

    // rules indirect-rights, memory-touched-bytes
    @Test
    void onlyTouchedBytesAreCheckedAndMustBeInRange() {
        KeyLayout reaching = KeyLayout.list(
                new LocalSlice(FIRST, memory.address() + 250, 16), new LocalSlice(SECOND, memory.address(), 8));
        Lease both = lease(reaching, AccessFlags.NONE, part(FIRST, AccessFlags.NONE), part(SECOND, AccessFlags.NONE));
        assertThat(answer(both, 0, 6, null)).isEqualTo(Lease.Ready.READY);
        assertThat(answer(both, 16, 8, null)).isEqualTo(Lease.Ready.READY);
        assertThat(answer(both, 0, 7, null))
                .isEqualTo(denied(new Denial.OfPart(
                        FIRST, new Denial.OutOfRange(memory.address(), 256, memory.address() + 250, 7))));
        assertThat(answer(both, 17, 8, null)).isEqualTo(denied(new Denial.OutOfRange(0, 24, 17, 8)));
        assertThat(answer(both, 99, 0, null)).isEqualTo(Lease.Ready.READY);
    }

    // rule indirect-atomic
    @Test
    void anAtomicNeedsItsBytesInOneAlignedWord() {
        AccessFlags atomic = AccessFlags.of(Access.REMOTE_ATOMIC);
        KeyLayout odd = KeyLayout.list(
                new LocalSlice(FIRST, memory.address(), 16),
                new LocalSlice(FIRST, memory.address() + 33, 8),
                new LocalSlice(SECOND, memory.address() + 64, 4),
                new LocalSlice(FIRST, memory.address() + 68, 4));
        TranslatedKey wide = becomes(FilledIndirectKey.empty(KEY, DOMAIN, 4, false), fill(odd, atomic));
        Lease lease = wide.lease(1, grant -> {}, List.of(part(FIRST, atomic), part(SECOND, atomic)));
        assertThat(answer(lease, 8, 8, Access.REMOTE_ATOMIC)).isEqualTo(Lease.Ready.READY);
        assertThat(answer(lease, 16, 8, Access.REMOTE_ATOMIC)).isEqualTo(denied(new Denial.NotOneWord(16, 8)));
        assertThat(answer(lease, 24, 8, Access.REMOTE_ATOMIC)).isEqualTo(denied(new Denial.NotOneWord(24, 8)));
        assertThat(answer(lease, 0, 16, Access.REMOTE_ATOMIC)).isEqualTo(Lease.Ready.READY);
        Denial masked = new Denial.NotOneWord(0, 32);
        assertThat(answer(lease, 0, 32, Access.REMOTE_ATOMIC)).isEqualTo(denied(masked));
        assertThat(ReasonTexts.of(new KeyDenied(KeyDenied.Name.R_KEY, KEY, masked)))
                .contains("shows the 32 bytes from 0x0");
        memory.writeLong(8, 5);
        assertThat(EightBytes.fetchAndAdd(lease, 8, 3)).isEqualTo(5);
        assertThat(EightBytes.compareAndSwap(lease, 8, 8, 1)).isEqualTo(8);
        assertThat(memory.readLong(8)).isEqualTo(1);
    }

    // rule indirect-translation
    @Test
    void bytesAreMovedAcrossPartsAndThroughKeysBehindKeys() {
        AccessFlags write = AccessFlags.of(Access.LOCAL_WRITE);
        Lease inner = lease(list(100, 20), write, part(FIRST, write), part(SECOND, write));
        FilledIndirectKey outerEmpty = FilledIndirectKey.empty(KEY, DOMAIN, 3, false);
        TranslatedKey outerFull =
                becomes(outerEmpty, fill(KeyLayout.list(new LocalSlice(KEY, 4, 8), new LocalSlice(KEY, 0, 2)), write));
        Lease outer = outerFull.lease(9, grant -> {}, List.of(inner));
        assertThat(answer(outer, 0, 10, Access.LOCAL_WRITE)).isEqualTo(Lease.Ready.READY);
        outer.store(1, Octets.copyOf(new byte[] {99, 1, 2, 3, 4, 5, 6, 7, 8, 9}), 1, 9);
        assertThat(memory.read(104, 4)).containsExactly(0, 1, 2, 3);
        assertThat(memory.read(20, 4)).containsExactly(4, 5, 6, 7);
        assertThat(memory.read(100, 2)).containsExactly(8, 9);
        byte[] back = new byte[12];
        outer.load(0, back, 2, 10);
        assertThat(back).containsExactly(0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    /** A peer's request may touch millions of pieces, and its response must not wait for each. */
    @Test
    void aRangeOfManyPiecesIsCheckedSliceBySlice() {
        int[] asked = new int[1];
        Lease plain = part(FIRST, AccessFlags.NONE);
        Lease counting = new Lease() {
            @Override
            public long grant() {
                return 7;
            }

            @Override
            public int key() {
                return FIRST;
            }

            @Override
            public Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
                asked[0]++;
                return plain.answer(user, from, count, right);
            }

            @Override
            public void load(long from, byte[] target, int targetOffset, int count) {}

            @Override
            public void store(long to, Octets source, int sourceOffset, int count) {}

            @Override
            public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
                return AtomicValue.ofLong(0);
            }

            @Override
            public void release() {}
        };
        KeyLayout still = KeyLayout.interleaved(
                1 << 30,
                StridedSlice.ofStride(FIRST, memory.address(), 1, 0),
                StridedSlice.ofStride(FIRST, memory.address() + 8, 1, 0));
        Lease lease = lease(still, AccessFlags.NONE, counting);
        assertThat(answer(lease, 1, Integer.MAX_VALUE, null)).isEqualTo(Lease.Ready.READY);
        KeyLayout leaving = KeyLayout.interleaved(1 << 30, new StridedSlice(FIRST, memory.address(), 1, 0));
        assertThat(answer(lease(leaving, AccessFlags.NONE, counting), 0, 1 << 30, null))
                .isInstanceOf(Lease.Denied.class);
        assertThat(asked[0]).isEqualTo(3);
    }

    // rule indirect-rights
    @Test
    void bytesBetweenThePiecesOfALayoutAreNotChecked() {
        AccessFlags read = AccessFlags.of(Access.REMOTE_READ);
        KeyLayout mixed = KeyLayout.list(
                new LocalSlice(FIRST, memory.address(), 4),
                new LocalSlice(SECOND, memory.address(), 4),
                new LocalSlice(FIRST, memory.address() + 8, 4));
        Lease inner = lease(mixed, read, part(FIRST, read), part(SECOND, AccessFlags.NONE));
        KeyLayout over = KeyLayout.interleaved(2, new StridedSlice(KEY, 0, 4, 4));
        KeyLayout into = KeyLayout.interleaved(2, new StridedSlice(KEY, 2, 4, 4));
        assertThat(answer(lease(over, read, inner), 0, 8, Access.REMOTE_READ)).isEqualTo(Lease.Ready.READY);
        assertThat(answer(lease(into, read, inner), 0, 8, Access.REMOTE_READ)).isInstanceOf(Lease.Denied.class);
    }

    @Test
    void anIndirectLeaseReturnsToItsOwnTranslator() {
        long[] released = new long[1];
        Lease lease = filled(list(0), AccessFlags.NONE)
                .lease(5, grant -> released[0] = grant, List.of(part(FIRST, AccessFlags.NONE)));
        assertThat(lease.key()).isEqualTo(KEY);
        assertThat(lease.grant()).isEqualTo(5);
        lease.release();
        assertThat(released[0]).isEqualTo(5);
    }
}
