// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hcaactors.adapter.atomic.Atomic;
import org.hcaactors.adapter.atomic.AtomicUnit;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.fabric.packet.Octets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Leases on one key and changes of the key; the effects are recorded. */
class TranslationTest {
    private static final int KEY = 0x700;
    private static final int PART = 0x900;
    private static final int OTHER_PART = 0xA00;
    private static final int DEPTH = 4;

    /** A key with the given parents and refusal. */
    record Shown(int key, List<ParentKey> parents, Optional<Denial> denial) implements TranslatedKey {
        static Shown memory(int key) {
            return new Shown(key, List.of(), Optional.empty());
        }

        static Shown through(int... keys) {
            return new Shown(KEY, Arrays.stream(keys).mapToObj(ParentKey::of).toList(), Optional.empty());
        }

        static Shown holding(int key, int part) {
            ParentKey.Hold attributes = new ParentKey.Hold(1, 0, 8, AccessFlags.NONE);
            return new Shown(key, List.of(ParentKey.held(part, attributes)), Optional.empty());
        }

        @Override
        public Lease lease(long grant, Lease.Origin origin, List<Lease> parents) {
            return new TestLease(grant, key, origin, parents);
        }

        @Override
        public Optional<Denial> holdDenial(ParentKey.Hold requested) {
            return Optional.empty();
        }

        @Override
        public ChangeResult apply(KeyChange change) {
            return change instanceof KeyChange.Reregister reregister
                    ? new ChangeResult.Becomes(reregister.next())
                    : new ChangeResult.Refused(new Denial.UnsupportedChange());
        }
    }

    /** A lease that copies nothing. */
    record TestLease(long grant, int key, Origin origin, List<Lease> parts) implements Lease {
        @Override
        public Answer answer(KeyUser user, long from, long count, @Nullable Access right) {
            return Ready.READY;
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
        public void release() {
            origin.released(grant);
        }
    }

    private record PartRequest(long parents, int key, int depth, boolean holds) {}

    private final List<Lease> granted = new ArrayList<>();
    private final List<Denial> refused = new ArrayList<>();
    private final List<Long> revoked = new ArrayList<>();
    private final List<PartRequest> asked = new ArrayList<>();
    private final List<Optional<Denial>> told = new ArrayList<>();
    private final List<Integer> gone = new ArrayList<>();
    private final List<Long> givenBack = new ArrayList<>();

    private <H> Translation.Effects<H> notes() {
        return new Translation.Effects<>() {
            @Override
            public void grant(H holder, Lease lease) {
                granted.add(lease);
            }

            @Override
            public void refuse(H holder, int key, Denial reason) {
                refused.add(reason);
            }

            @Override
            public void revoke(H holder, long grant) {
                revoked.add(grant);
            }

            @Override
            public void became(long cause, int before, TranslatedKey next) {}

            @Override
            public void deregistered(int key) {
                gone.add(key);
            }

            @Override
            public void requestParent(long parents, ParentKey part, int depth) {
                asked.add(
                        new PartRequest(parents, part.key(), depth, part.hold().isPresent()));
            }
        };
    }

    private Translation<String> of(TranslatedKey first) {
        return new Translation<>(first, grant -> {}, notes());
    }

    private static LeaseRequest<String> leaseRequest(String element) {
        return LeaseRequest.of(KEY, DEPTH, element);
    }

    private static LeaseRequest<String> hold(String element) {
        return new LeaseRequest<>(KEY, 0, Optional.of(new ParentKey.Hold(1, 0, 8, AccessFlags.NONE)), element);
    }

    private Lease part(long grant, int key) {
        return new TestLease(grant, key, givenBack::add, List.of());
    }

    private static KeyChange become(TranslatedKey next) {
        return new KeyChange.Reregister(next);
    }

    private long newest() {
        return granted.getLast().grant();
    }

    // --- grants and the end ---

    // rules memory-deregister, window-key
    @Test
    void theCurrentKeyIsReleasedWhenTheLastLeaseIsReturned() {
        Translation<String> key = of(Shown.memory(KEY));
        key.change(become(Shown.memory(KEY + 1)), told::add);
        key.request(new LeaseRequest<>(KEY + 1, DEPTH, Optional.empty(), "a"));
        key.end(told::add);
        assertThat(gone).isEmpty();
        key.released(newest());
        assertThat(gone).containsExactly(KEY + 1);
    }

    // rule event-crash
    @Test
    void aLostKeyIsReleasedAtItsEnd() {
        Translation<String> key = of(Shown.memory(KEY));
        key.lost();
        assertThat(gone).isEmpty();
        key.end(told::add);
        assertThat(gone).containsExactly(KEY);
    }

    // rule memory-deregister
    @Test
    void aKeyEndsWhenEveryHolderReturnedItsLeasesOrDied() {
        Translation<String> key = of(Shown.memory(KEY));
        key.request(leaseRequest("a"));
        long first = newest();
        key.request(leaseRequest("b"));
        key.end(told::add);
        assertThat(revoked).containsExactly(first, newest());
        key.request(leaseRequest("c"));
        assertThat(refused).containsExactly(new Denial.Unregistered());
        key.released(first);
        assertThat(told).isEmpty();
        key.died("b");
        assertThat(told).containsExactly(Optional.empty());
        assertThat(key.leases()).isZero();
    }

    @Test
    void aGrantIsUniqueAndContainsItsKey() {
        Translation<String> key = of(Shown.memory(KEY));
        Stream.generate(() -> leaseRequest("a")).limit(100).forEach(key::request);
        assertThat(granted)
                .extracting(Lease::grant)
                .doesNotHaveDuplicates()
                .allMatch(grant -> grant >>> Integer.SIZE == KEY);
        key.released(granted.getFirst().grant());
        key.released(granted.getFirst().grant());
        key.released(-1);
        assertThat(key.leases()).isEqualTo(99);
    }

    @Test
    void aHolderThatRestartedReturnsOnlyItsCurrentLeases() {
        Translation<String> key = of(Shown.memory(KEY));
        key.request(leaseRequest("a"));
        key.died("a");
        key.request(leaseRequest("a"));
        key.end(told::add);
        assertThat(revoked).containsExactly(newest());
        key.died("a");
        assertThat(told).hasSize(1);
    }

    @Test
    void aKeyWithoutLeasesEndsAtOnceAndEveryLaterEndSucceeds() {
        Translation<String> key = of(Shown.memory(KEY));
        key.end(told::add);
        key.end(told::add);
        assertThat(told).containsExactly(Optional.empty(), Optional.empty());
    }

    // rule memory-key-layout
    @Test
    void anotherVariantOfTheKeyIsUnregistered() {
        Translation<String> key = of(Shown.memory(KEY));
        key.request(LeaseRequest.of(KEY + 1, DEPTH, "a"));
        assertThat(refused).containsExactly(new Denial.Unregistered());
        assertThat(granted).isEmpty();
    }

    @Test
    void aKeyThatMapsNothingRefusesWithItsReason() {
        Translation<String> key = of(new Shown(KEY, List.of(), Optional.of(new Denial.NotBound())));
        key.request(leaseRequest("a"));
        assertThat(refused).containsExactly(new Denial.NotBound());
    }

    /** A holder that is equal to itself only, and counts comparisons. */
    private static final class Counted {
        private final int[] comparisons;

        Counted(int[] comparisons) {
            this.comparisons = comparisons;
        }

        @Override
        public boolean equals(Object other) {
            comparisons[0]++;
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    @Test
    void theEndOfAHolderDoesNotCompareItWithTheOthers() {
        int[] comparisons = {0};
        Translation<Counted> key = new Translation<>(Shown.memory(KEY), grant -> {}, notes());
        List<Counted> holders =
                Stream.generate(() -> new Counted(comparisons)).limit(1000).toList();
        holders.forEach(holder -> key.request(LeaseRequest.of(KEY, DEPTH, holder)));
        holders.forEach(holder -> key.request(LeaseRequest.of(KEY, DEPTH, holder)));
        holders.forEach(key::died);
        assertThat(key.leases()).isZero();
        assertThat(comparisons[0]).as("of 1000").isLessThan(3000);
    }

    // --- changes ---

    // rule memory-change
    @Test
    void aChangeIsMadeWhenEveryLeaseOnTheOldStateIsReturned() {
        Translation<String> key = of(Shown.memory(KEY));
        key.request(leaseRequest("a"));
        long before = newest();
        key.change(become(Shown.memory(KEY + 1)), told::add);
        assertThat(revoked).containsExactly(before);
        key.request(leaseRequest("b"));
        key.request(LeaseRequest.of(KEY + 1, DEPTH, "c"));
        assertThat(told).isEmpty();
        assertThat(granted).hasSize(1);
        key.released(before);
        assertThat(told).containsExactly(Optional.empty());
        assertThat(refused).as("b named the key as it was").containsExactly(new Denial.Unregistered());
        assertThat(granted).last().extracting(Lease::key).isEqualTo(KEY + 1);
    }

    @Test
    void changesAreMadeInOrderAndTheEndFollowsThem() {
        Translation<String> key = of(Shown.memory(KEY));
        key.request(leaseRequest("a"));
        key.change(become(Shown.memory(KEY + 1)), told::add);
        key.change(become(Shown.memory(KEY + 2)), told::add);
        key.end(told::add);
        key.change(become(Shown.memory(KEY + 3)), told::add);
        key.released(newest());
        assertThat(told)
                .containsExactly(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(new Denial.Unregistered()));
        assertThat(key.key()).isEqualTo(KEY + 2);
    }

    @Test
    void aRefusedChangeRevokesNoLease() {
        Translation<String> key = of(Shown.memory(KEY));
        key.request(leaseRequest("a"));
        key.change(new KeyChange.Invalidate(KEY, false, new KeyUser(1, 17)), told::add);
        assertThat(told).containsExactly(Optional.of(new Denial.UnsupportedChange()));
        assertThat(revoked).isEmpty();
    }

    // rule memory-held
    @Test
    void aHeldKeyNeitherEndsNorChanges() {
        Translation<String> key = of(Shown.memory(KEY));
        key.request(hold("window"));
        long held = newest();
        key.end(told::add);
        key.change(become(Shown.memory(KEY + 1)), told::add);
        assertThat(told).containsOnly(Optional.of(new Denial.InUse(1)));
        assertThat(revoked).isEmpty();
        key.released(held);
        key.end(told::add);
        assertThat(told).last().isEqualTo(Optional.empty());
    }

    @Test
    void aLostKeyEndsDespiteHoldersAndPendingChanges() {
        Translation<String> key = of(Shown.memory(KEY));
        key.request(hold("window"));
        long held = newest();
        key.lost();
        assertThat(revoked).containsExactly(held);
        key.change(become(Shown.memory(KEY)), told::add);
        assertThat(told).containsExactly(Optional.of(new Denial.Unregistered()));
        key.end(told::add);
        assertThat(told).hasSize(1);
        key.released(held);
        assertThat(told).last().isEqualTo(Optional.empty());

        Translation<String> changing = of(Shown.memory(KEY));
        changing.request(leaseRequest("a"));
        changing.change(become(Shown.memory(KEY + 1)), told::add);
        changing.request(leaseRequest("b"));
        changing.lost();
        assertThat(told).last().isEqualTo(Optional.of(new Denial.Unregistered()));
        changing.released(newest());
        assertThat(refused).containsExactly(new Denial.Unregistered());
    }

    // --- keys that map memory of other keys ---

    @Test
    void aKeyLeasesEveryPartOnceAndGrantsWhenItHasThemAll() {
        Translation<String> key = of(Shown.through(PART, OTHER_PART, PART));
        key.request(leaseRequest("a"));
        key.request(leaseRequest("b"));
        assertThat(asked)
                .extracting(PartRequest::key, PartRequest::depth)
                .containsExactly(tuple(PART, DEPTH - 1), tuple(OTHER_PART, DEPTH - 1));
        long parents = asked.getFirst().parents;
        key.partGranted(parents, part(1, PART));
        assertThat(granted).isEmpty();
        key.partGranted(parents, part(2, OTHER_PART));
        assertThat(granted).hasSize(2);
        assertThat(((TestLease) granted.getFirst()).parts)
                .extracting(Lease::grant)
                .containsExactly(1L, 2L, 1L);
        key.request(leaseRequest("c"));
        assertThat(granted).as("at once").hasSize(3);
        assertThat(asked).hasSize(2);
    }

    @Test
    void aRevokedPartIsReturnedWhenNoLeaseUsesIt() {
        Translation<String> key = of(Shown.through(PART));
        key.request(leaseRequest("a"));
        key.partGranted(asked.getFirst().parents, part(1, PART));
        long use = newest();
        key.partRevoked(asked.getFirst().parents, 1);
        assertThat(revoked).containsExactly(use);
        assertThat(givenBack).isEmpty();
        key.request(leaseRequest("b"));
        key.released(use);
        assertThat(givenBack).containsExactly(1L);
        assertThat(asked).as("again, for the request in between").hasSize(2);
        key.partRefused(asked.getLast().parents, PART, new Denial.Unregistered());
        assertThat(refused).containsExactly(new Denial.OfPart(PART, new Denial.Unregistered()));
    }

    @Test
    void aRefusedPartFailsTheWaitingRequestsAndReturnsOtherParts() {
        Translation<String> key = of(Shown.through(PART, OTHER_PART));
        key.request(leaseRequest("a"));
        long parents = asked.getFirst().parents;
        key.partGranted(parents, part(1, PART));
        key.partRefused(parents, OTHER_PART, new Denial.NotBound());
        assertThat(refused).containsExactly(new Denial.OfPart(OTHER_PART, new Denial.NotBound()));
        assertThat(givenBack).containsExactly(1L);
    }

    // rule memory-depth
    @Test
    void requestsBeyondTheDepthAreRefusedAndEachDepthLeasesItsParts() {
        Translation<String> key = of(Shown.through(PART));
        key.request(LeaseRequest.of(KEY, 0, "deep"));
        assertThat(refused).containsExactly(new Denial.TooDeep());
        key.request(LeaseRequest.of(KEY, 2, "a"));
        key.request(LeaseRequest.of(KEY, 1, "b"));
        assertThat(asked).extracting(PartRequest::depth).containsExactly(1, 0);
        assertThat(asked).extracting(PartRequest::parents).doesNotHaveDuplicates();
    }

    @Test
    void aPartGrantedAfterItsRequestsEndedIsReturnedAtOnce() {
        Translation<String> key = of(Shown.through(PART));
        key.request(leaseRequest("a"));
        long parents = asked.getFirst().parents;
        key.change(become(Shown.memory(KEY)), told::add);
        assertThat(granted).as("a, of what is shown now").hasSize(1);
        key.partGranted(parents, part(1, PART));
        assertThat(givenBack).containsExactly(1L);
    }

    // rule memory-held
    @Test
    void aWindowIsChangedOnlyAfterItHoldsItsNewPart() {
        Translation<String> window = of(Shown.memory(KEY));
        window.change(become(Shown.holding(KEY + 1, PART)), told::add);
        assertThat(asked).extracting(PartRequest::holds).containsExactly(true);
        assertThat(told).isEmpty();
        window.request(leaseRequest("a"));
        assertThat(granted).as("it still is what it was").hasSize(1);
        window.partGranted(asked.getFirst().parents, part(1, PART));
        assertThat(revoked).containsExactly(newest());
        window.released(newest());
        assertThat(told).containsExactly(Optional.empty());
        window.request(LeaseRequest.of(KEY + 1, 0, "b"));
        assertThat(((TestLease) granted.getLast()).parts)
                .extracting(Lease::grant)
                .containsExactly(1L);
        window.change(become(Shown.memory(KEY + 2)), told::add);
        assertThat(givenBack).isEmpty();
        window.released(newest());
        assertThat(givenBack).containsExactly(1L);
    }

    @Test
    void aChangeWithARefusedPartFails() {
        Translation<String> window = of(Shown.memory(KEY));
        window.change(become(Shown.holding(KEY + 1, PART)), told::add);
        window.partRefused(asked.getFirst().parents, PART, new Denial.NotBindable());
        assertThat(told).containsExactly(Optional.of(new Denial.OfPart(PART, new Denial.NotBindable())));
        assertThat(window.key()).isEqualTo(KEY);
        window.request(leaseRequest("a"));
        assertThat(granted).hasSize(1);
    }

    @Test
    void aWindowThatLostItsPartRefusesLeases() {
        Translation<String> window = of(Shown.memory(KEY));
        window.change(become(Shown.holding(KEY, PART)), told::add);
        long parents = asked.getFirst().parents;
        window.partGranted(parents, part(1, PART));
        window.request(leaseRequest("a"));
        window.partRevoked(parents, 1);
        window.released(newest());
        assertThat(givenBack).containsExactly(1L);
        window.request(leaseRequest("b"));
        assertThat(refused).containsExactly(new Denial.OfPart(PART, new Denial.Unregistered()));
    }

    @Test
    void theEndReturnsTheLeasesOnParts() {
        Translation<String> key = of(Shown.through(PART));
        key.request(leaseRequest("a"));
        key.partGranted(asked.getFirst().parents, part(1, PART));
        key.end(told::add);
        assertThat(givenBack).isEmpty();
        key.released(newest());
        assertThat(givenBack).containsExactly(1L);
        assertThat(told).containsExactly(Optional.empty());
    }

    @Test
    void requestsOfADeadHolderAreDropped() {
        Translation<String> key = of(Shown.through(PART));
        key.request(leaseRequest("a"));
        key.died("a");
        key.partGranted(asked.getFirst().parents, part(1, PART));
        assertThat(granted).isEmpty();
        Translation<String> changing = of(Shown.memory(KEY));
        changing.request(leaseRequest("a"));
        changing.change(become(Shown.memory(KEY)), told::add);
        changing.request(leaseRequest("b"));
        changing.died("b");
        changing.released(newest());
        assertThat(granted).hasSize(1);
    }
}
