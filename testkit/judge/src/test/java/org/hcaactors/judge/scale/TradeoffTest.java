// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.judge.scale.Tradeoff.TARGETS;
import static org.hcaactors.judge.scale.Tradeoff.Traffic.DENSE;
import static org.hcaactors.judge.scale.Tradeoff.Traffic.SPARSE;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hcaactors.client.pool.DciPolicy;
import org.hcaactors.judge.scale.Tradeoff.Figure;
import org.hcaactors.judge.scale.Tradeoff.Traffic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TradeoffTest {
    private static final Map<String, DciPolicy> POLICIES = Tradeoff.policies();

    private static Figure figure(String policy, Traffic traffic, int initiators) {
        return new Tradeoff(3).figure(policy, Objects.requireNonNull(POLICIES.get(policy)), traffic, initiators);
    }

    /** A random initiator may be drawn twice, and streams share few initiators. */
    @ParameterizedTest
    @ValueSource(strings = {"hashed", "exclusive", "quota"})
    void withAnInitiatorATargetEveryTargetIsConnectedOnce(String policy) {
        assertThat(figure(policy, DENSE, TARGETS).connects()).isEqualTo(TARGETS);
    }

    @ParameterizedTest
    @EnumSource(Traffic.class)
    void surplusHashedInitiatorsDoNotConnectMoreOften(Traffic traffic) {
        long asMany = figure("hashed", traffic, TARGETS).connects();
        assertThat(figure("hashed", traffic, TARGETS + 8).connects()).isLessThanOrEqualTo(asMany);
    }

    @ParameterizedTest
    @EnumSource(Traffic.class)
    void eachDoublingOfHashedInitiatorsConnectsLessOften(Traffic traffic) {
        List<Long> connects = Tradeoff.INITIATORS.stream()
                .map(initiators -> figure("hashed", traffic, initiators).connects())
                .toList();
        assertThat(connects.reversed()).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void whenDenseAQuotaConnectsLessOftenThanHashingAndTakesLessTime() {
        Figure hashed = figure("hashed", DENSE, 4);
        Figure quota = figure("quota", DENSE, 4);
        assertThat(quota.connects()).isLessThan(hashed.connects() / 2);
        assertThat(quota.meanNanos()).isLessThan(hashed.meanNanos());
    }

    /** With one request at a time, the initiator freed last is free again, whichever target it had. */
    @Test
    void whenSparseManyExclusiveInitiatorsEqualOne() {
        assertThat(figure("exclusive", SPARSE, TARGETS).connects())
                .isEqualTo(figure("exclusive", SPARSE, 1).connects());
    }

    @Test
    void equalSeedsGiveEqualFigures() {
        assertThat(figure("random", DENSE, 4)).isEqualTo(figure("random", DENSE, 4));
        assertThat(figure("streams", SPARSE, 2)).isEqualTo(figure("streams", SPARSE, 2));
    }
}
