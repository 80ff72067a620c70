// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.queue.QpType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The list of kinds against the types of the API. */
class QueuePairKindsTest {
    @ParameterizedTest
    @EnumSource(QpType.class)
    void everyTypeHasItsKind(QpType type) {
        assertThat(QueuePairKinds.of(type).type()).isEqualTo(type);
    }

    // rules xrc-one-way, dc-initiator-attributes
    @ParameterizedTest
    @EnumSource(QpType.class)
    void onlyInitiatorsSendRequestsWithoutReceives(QpType type) {
        assertThat(QueuePairKinds.of(type).isInitiator()).isEqualTo(type.name().endsWith("_INI"));
    }
}
