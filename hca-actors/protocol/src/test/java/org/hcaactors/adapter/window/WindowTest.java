// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.REMOTE_ATOMIC;
import static org.hcaactors.api.memory.Access.REMOTE_READ;
import static org.hcaactors.api.memory.Access.REMOTE_WRITE;
import static org.hcaactors.api.memory.WindowType.TYPE_1;
import static org.hcaactors.api.memory.WindowType.TYPE_2;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.atomic.EightBytes;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.key.KeyChange;
import org.hcaactors.adapter.key.ParentKey;
import org.hcaactors.adapter.key.TranslatedKey;
import org.hcaactors.adapter.key.TranslatedKey.ChangeResult;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes of a window, and its leases: rows of IBA table 78 and what follows from them. */
class WindowTest {
    private static final int KEY = 0x300;
    private static final int NEXT = 0x301;
    private static final int REGION = 0x200;
    private static final int DOMAIN = 1;
    private static final KeyUser OWNER = new KeyUser(DOMAIN, 17);
    private static final KeyUser NEIGHBOUR = new KeyUser(DOMAIN, 18);
    private static final KeyUser STRANGER = new KeyUser(2, 17);
    private static final long AT = 0x1000;
    private static final AccessFlags RIGHTS = AccessFlags.of(REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC);

    private final List<String> touched = new ArrayList<>();

    private static TranslatedKey unbound(WindowType type) {
        return new UnboundWindow(KEY, new WindowAttributes(type, DOMAIN, true, true));
    }

    private static KeyChange.Bind bind(int from, int to, long lengthBytes) {
        return new KeyChange.Bind(from, to, REGION, AT, lengthBytes, RIGHTS, false, OWNER);
    }

    private static KeyChange.Bind zeroBased(KeyUser by) {
        return new KeyChange.Bind(KEY, NEXT, REGION, AT, 64, RIGHTS, true, by);
    }

    private static TranslatedKey after(TranslatedKey now, KeyChange change) {
        return ((ChangeResult.Becomes) now.apply(change)).next();
    }

    private static Denial refused(TranslatedKey now, KeyChange change) {
        return ((ChangeResult.Refused) now.apply(change)).reason();
    }

    private static TranslatedKey bound(WindowType type) {
        return after(unbound(type), bind(KEY, NEXT, 64));
    }

    private static KeyChange.Invalidate invalidate(int key, KeyUser by) {
        return new KeyChange.Invalidate(key, true, by);
    }

    private Lease leaseOn(TranslatedKey window) {
        return window.lease(7, gone -> touched.add("released " + gone), List.of(new RegionStub()));
    }

    private final class RegionStub implements Lease {
        @Override
        public long grant() {
            return 5;
        }

        @Override
        public int key() {
            return REGION;
        }

        /** Permits local reading and writing and no remote access, for up to 32 bytes from {@code AT} on. */
        @Override
        public Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
            if (right != null && right != Access.LOCAL_WRITE) {
                return new Denied(new Denial.MissingRight(right));
            }
            return count == 0 || from + count <= AT + 32
                    ? Ready.READY
                    : new Denied(new Denial.OutOfRange(AT, 32, from, count));
        }

        @Override
        public void load(long from, byte[] target, int targetOffset, int count) {
            touched.add("load 0x%x %d".formatted(from, count));
        }

        @Override
        public void store(long to, Octets source, int sourceOffset, int count) {
            touched.add("store 0x%x %d".formatted(to, count));
        }

        @Override
        public AtomicValue update(long at, Atomic atomic, AtomicUnit unit) {
            touched.add("change 0x%x".formatted(at));
            return AtomicValue.ofLong(2);
        }

        @Override
        public void release() {
            touched.add("released the region");
        }
    }

    // --- what it maps ---

    @ParameterizedTest
    @EnumSource
    void anUnboundWindowRefusesAllAccess(WindowType type) {
        assertThat(unbound(type).denial()).contains(new Denial.NotBound());
        assertThat(unbound(type).parents()).isEmpty();
    }

    // rule window-bind
    @ParameterizedTest
    @EnumSource
    void aBindGivesItItsNewKeyAndHoldsOnToTheRegion(WindowType type) {
        TranslatedKey window = bound(type);
        assertThat(window.key()).isEqualTo(NEXT);
        assertThat(window.denial()).isEmpty();
        assertThat(window.parents())
                .containsExactly(ParentKey.held(REGION, new ParentKey.Hold(DOMAIN, AT, 64, RIGHTS)));
    }

    @ParameterizedTest
    @EnumSource
    void aBindThatNamesAStaleKeyIsRefused(WindowType type) {
        assertThat(refused(unbound(type), bind(KEY + 1, NEXT, 64))).isEqualTo(new Denial.Unregistered());
    }

    @ParameterizedTest
    @EnumSource
    void aBindFromAQueuePairOfAnotherDomainIsRefused(WindowType type) {
        KeyChange.Bind foreign = new KeyChange.Bind(KEY, NEXT, REGION, AT, 64, RIGHTS, false, STRANGER);
        assertThat(refused(unbound(type), foreign)).isEqualTo(new Denial.ForeignDomain(DOMAIN, 2));
    }

    // rule window-unbind
    @Test
    void aType1WindowBoundToNoBytesIsUnboundUnderItsNewKey() {
        TranslatedKey window = after(bound(TYPE_1), bind(NEXT, KEY, 0));
        assertThat(window.key()).isEqualTo(KEY);
        assertThat(window.denial()).contains(new Denial.NotBound());
    }

    // rule window-unbind
    @Test
    void oneOfType2IsNotBoundToNoBytes() {
        assertThat(refused(unbound(TYPE_2), bind(KEY, NEXT, 0))).isEqualTo(new Denial.EmptyWindow());
    }

    // rule window-rebind
    @Test
    void aType1WindowIsReboundByAnyQueuePairOfItsDomain() {
        KeyChange.Bind again = new KeyChange.Bind(NEXT, KEY, REGION, AT + 8, 8, RIGHTS, false, NEIGHBOUR);
        assertThat(after(bound(TYPE_1), again).key()).isEqualTo(KEY);
    }

    // rule window-rebind
    @Test
    void aBoundType2WindowIsNotRebound() {
        assertThat(refused(bound(TYPE_2), bind(NEXT, KEY, 8))).isEqualTo(new Denial.StillBound());
    }

    // rule window-zero-based
    @Test
    void onlyType2IsZeroBasedAndOnlyIfTheAdapterSupportsIt() {
        assertThat(refused(unbound(TYPE_1), zeroBased(OWNER))).isEqualTo(new Denial.NotZeroBased());
        TranslatedKey without = new UnboundWindow(KEY, new WindowAttributes(TYPE_2, DOMAIN, false, true));
        assertThat(refused(without, zeroBased(OWNER))).isEqualTo(new Denial.NotZeroBased());
        assertThat(after(unbound(TYPE_2), zeroBased(OWNER)).key()).isEqualTo(NEXT);
    }

    // rule window-invalidate
    @Test
    void aType2WindowIsInvalidatedByItsQueuePairAndKeepsItsKey() {
        TranslatedKey window = after(bound(TYPE_2), invalidate(NEXT, OWNER));
        assertThat(window.key()).isEqualTo(NEXT);
        assertThat(window.denial()).contains(new Denial.NotBound());
        assertThat(after(window, bind(NEXT, KEY, 8)).denial()).isEmpty();
    }

    // rule window-invalidate
    @Test
    void invalidationRequiresABoundType2WindowAndItsKeyAndOwner() {
        assertThat(refused(bound(TYPE_1), invalidate(NEXT, OWNER))).isEqualTo(new Denial.UnsupportedChange());
        assertThat(refused(unbound(TYPE_1), invalidate(KEY, OWNER))).isEqualTo(new Denial.UnsupportedChange());
        assertThat(refused(unbound(TYPE_2), invalidate(KEY, OWNER))).isEqualTo(new Denial.NotBound());
        assertThat(refused(bound(TYPE_2), invalidate(KEY, OWNER))).isEqualTo(new Denial.Unregistered());
        assertThat(refused(unbound(TYPE_2), invalidate(NEXT, OWNER))).isEqualTo(new Denial.Unregistered());
        assertThat(refused(bound(TYPE_2), invalidate(NEXT, NEIGHBOUR))).isEqualTo(new Denial.OtherQueuePair(17, 18));
        assertThat(refused(bound(TYPE_2), invalidate(NEXT, STRANGER))).isEqualTo(new Denial.ForeignDomain(DOMAIN, 2));
    }

    @ParameterizedTest
    @EnumSource
    void aWindowIsNeitherFilledNorReregistered(WindowType type) {
        for (TranslatedKey window : List.of(unbound(type), bound(type))) {
            assertThat(refused(window, new KeyChange.Reregister(window))).isEqualTo(new Denial.UnsupportedChange());
            assertThat(refused(window, new KeyChange.Show(window.key(), AccessFlags.NONE, KeyLayout.list(), OWNER)))
                    .isEqualTo(new Denial.UnsupportedChange());
            assertThat(window.holdDenial(new ParentKey.Hold(DOMAIN, AT, 8, RIGHTS)))
                    .contains(new Denial.NotBindable());
        }
    }

    // --- its lease's answers ---

    private static Optional<Denial> reason(Lease lease, KeyUser user, long from, long count, @Nullable Access right) {
        return lease.answer(user, from, count, right) instanceof Lease.Denied denied
                ? Optional.of(denied.reason())
                : Optional.empty();
    }

    // rule window-rights
    @Test
    void itsOwnRightsCountAndNotTheRegionsRemoteOnes() {
        KeyChange.Bind readOnly =
                new KeyChange.Bind(KEY, NEXT, REGION, AT, 32, AccessFlags.of(REMOTE_READ), false, OWNER);
        Lease lease = leaseOn(after(unbound(TYPE_1), readOnly));
        assertThat(reason(lease, OWNER, AT, 8, REMOTE_READ)).isEmpty();
        assertThat(reason(lease, OWNER, AT, 8, REMOTE_WRITE)).contains(new Denial.MissingRight(REMOTE_WRITE));
        assertThat(reason(lease, OWNER, AT, 8, REMOTE_ATOMIC)).contains(new Denial.MissingRight(REMOTE_ATOMIC));
    }

    // rule window-rights
    @Test
    void aWindowWithLocalRightsOnlyGrantsNothing() {
        KeyChange.Bind local = new KeyChange.Bind(KEY, NEXT, REGION, AT, 32, AccessFlags.of(LOCAL_WRITE), false, OWNER);
        Lease lease = leaseOn(after(unbound(TYPE_1), local));
        assertThat(reason(lease, OWNER, AT, 8, REMOTE_WRITE)).contains(new Denial.MissingRight(REMOTE_WRITE));
        assertThat(reason(lease, OWNER, AT, 8, LOCAL_WRITE)).contains(new Denial.RemoteOnly());
    }

    // rule window-use
    @ParameterizedTest
    @EnumSource
    void aWindowAllowsNoLocalUse(WindowType type) {
        Lease lease = leaseOn(bound(type));
        assertThat(reason(lease, OWNER, AT, 8, null)).contains(new Denial.RemoteOnly());
        assertThat(reason(lease, OWNER, AT, 8, LOCAL_WRITE)).contains(new Denial.RemoteOnly());
    }

    // rule window-user
    @Test
    void type1ServesItsDomainAndType2ItsQueuePair() {
        Lease one = leaseOn(bound(TYPE_1));
        Lease two = leaseOn(bound(TYPE_2));
        assertThat(reason(one, NEIGHBOUR, AT, 8, REMOTE_WRITE)).isEmpty();
        assertThat(reason(one, STRANGER, AT, 8, REMOTE_WRITE)).contains(new Denial.ForeignDomain(DOMAIN, 2));
        assertThat(reason(two, OWNER, AT, 8, REMOTE_WRITE)).isEmpty();
        assertThat(reason(two, NEIGHBOUR, AT, 8, REMOTE_WRITE)).contains(new Denial.OtherQueuePair(17, 18));
        assertThat(reason(two, STRANGER, AT, 8, REMOTE_WRITE)).contains(new Denial.ForeignDomain(DOMAIN, 2));
    }

    // rule window-use
    @Test
    void aWindowAllowsOnlyItsRangeWithinItsRegion() {
        Lease lease = leaseOn(bound(TYPE_1));
        assertThat(reason(lease, OWNER, AT, 32, REMOTE_WRITE)).isEmpty();
        assertThat(reason(lease, OWNER, AT + 64, 0, REMOTE_WRITE)).isEmpty();
        assertThat(reason(lease, OWNER, AT - 1, 8, REMOTE_WRITE)).contains(new Denial.OutOfRange(AT, 64, AT - 1, 8));
        assertThat(reason(lease, OWNER, AT, 65, REMOTE_WRITE)).contains(new Denial.OutOfRange(AT, 64, AT, 65));
        assertThat(reason(lease, OWNER, AT + 30, 8, REMOTE_WRITE))
                .contains(new Denial.OfPart(REGION, new Denial.OutOfRange(AT, 32, AT + 30, 8)));
    }

    // rule window-zero-based
    @Test
    void aZeroBasedOneIsShifted() {
        Lease lease = leaseOn(after(unbound(TYPE_2), zeroBased(OWNER)));
        assertThat(reason(lease, OWNER, 0, 8, REMOTE_READ)).isEmpty();
        assertThat(reason(lease, OWNER, AT, 8, REMOTE_READ)).contains(new Denial.OutOfRange(0, 64, AT, 8));
        lease.load(4, new byte[8], 0, 8);
        lease.store(8, Octets.copyOf(new byte[8]), 0, 8);
        assertThat(EightBytes.compareAndSwap(lease, 16, 0, 1)).isEqualTo(2);
        assertThat(EightBytes.fetchAndAdd(lease, 24, 1)).isEqualTo(2);
        assertThat(touched).containsExactly("load 0x1004 8", "store 0x1008 8", "change 0x1010", "change 0x1018");
    }

    // rule window-atomics
    @Test
    void someAdaptersAllowNoAtomicsThroughAWindow() {
        TranslatedKey without = new UnboundWindow(KEY, new WindowAttributes(TYPE_1, DOMAIN, true, false));
        Lease lease = leaseOn(after(without, bind(KEY, NEXT, 32)));
        assertThat(reason(lease, OWNER, AT, 8, REMOTE_ATOMIC)).contains(new Denial.MissingRight(REMOTE_ATOMIC));
        assertThat(reason(lease, OWNER, AT, 8, REMOTE_WRITE)).isEmpty();
    }

    @Test
    void releasingAWindowsLeaseReleasesTheWindowOnly() {
        leaseOn(bound(TYPE_1)).release();
        assertThat(touched).containsExactly("released 7");
    }
}
