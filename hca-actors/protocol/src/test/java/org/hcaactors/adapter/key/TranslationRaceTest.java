// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.key.TranslationTest.Shown;
import org.hcaactors.adapter.key.TranslationTest.TestLease;
import org.hcaactors.adapter.lease.Lease;
import org.junit.jupiter.api.Test;

/** Requests, grants and releases of a key whose leases are being revoked, or that is changing or ending. */
class TranslationRaceTest {
    private static final int KEY = 0x700;
    private static final int PART = 0x900;
    private static final int DEPTH = 4;

    private final List<Lease> granted = new ArrayList<>();
    private final List<Denial> refused = new ArrayList<>();
    private final List<Long> askedBy = new ArrayList<>();
    private final List<Optional<Denial>> told = new ArrayList<>();
    private final List<Long> givenBack = new ArrayList<>();

    private Translation<String> of(TranslatedKey first) {
        return new Translation<>(first, grant -> {}, new Translation.Effects<>() {
            @Override
            public void grant(String holder, Lease lease) {
                granted.add(lease);
            }

            @Override
            public void refuse(String holder, int key, Denial reason) {
                refused.add(reason);
            }

            @Override
            public void revoke(String holder, long grant) {}

            @Override
            public void became(long cause, int before, TranslatedKey next) {}

            @Override
            public void deregistered(int key) {}

            @Override
            public void requestParent(long parents, ParentKey part, int depth) {
                askedBy.add(parents);
            }
        });
    }

    private static KeyChange become(TranslatedKey next) {
        return new KeyChange.Reregister(next);
    }

    private Lease part(long grant) {
        return new TestLease(grant, PART, givenBack::add, List.of());
    }

    /** One of its leases is out, and a request from another depth waits for the part. */
    private Translation<String> usedFromOneDepthAndAskedForFromAnother() {
        Translation<String> key = of(Shown.through(PART));
        key.request(LeaseRequest.of(KEY, DEPTH, "a"));
        key.partGranted(askedBy.getFirst(), part(1));
        key.request(LeaseRequest.of(KEY, DEPTH - 1, "b"));
        assertThat(granted).hasSize(1);
        return key;
    }

    // rule memory-change
    @Test
    void aPartGrantedDuringAChangeGrantsNoLeaseOnTheOldState() {
        Translation<String> key = usedFromOneDepthAndAskedForFromAnother();
        key.change(become(Shown.memory(KEY)), told::add);
        key.partGranted(askedBy.getLast(), part(2));
        assertThat(granted).hasSize(1);
        key.released(granted.getFirst().grant());
        assertThat(told).containsExactly(Optional.empty());
        assertThat(givenBack).containsExactlyInAnyOrder(1L, 2L);
        assertThat(granted).as("who waited sees what it shows now").hasSize(2);
    }

    // rule memory-deregister
    @Test
    void aPartGrantedDuringDeregistrationGrantsNoLease() {
        Translation<String> key = usedFromOneDepthAndAskedForFromAnother();
        key.end(told::add);
        key.partGranted(askedBy.getLast(), part(2));
        assertThat(granted).hasSize(1);
        key.released(granted.getFirst().grant());
        assertThat(told).containsExactly(Optional.empty());
        assertThat(givenBack).containsExactlyInAnyOrder(1L, 2L);
        assertThat(refused).containsExactly(new Denial.Unregistered());
    }

    // rule memory-change
    @Test
    void manyPendingChangesAreMadeOneAfterTheOther() {
        int many = 100_000;
        Translation<String> key = of(Shown.memory(KEY));
        key.request(LeaseRequest.of(KEY, DEPTH, "a"));
        for (int i = 0; i < many; i++) {
            key.change(become(Shown.memory(KEY)), told::add);
        }
        key.released(granted.getFirst().grant());
        assertThat(told).hasSize(many).containsOnly(Optional.empty());
    }
}
