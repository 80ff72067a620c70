// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.Stamp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QpFactsTest {
    private static QpFacts of(QpType type, Element element) {
        return new QpFacts(
                new HcaEvent.QueuePairCreated(new Stamp(1, 1, 0, 0), "a", element, type, 1, 1, 1, OptionalInt.empty()));
    }

    @ParameterizedTest
    @EnumSource(QpType.class)
    void aQueuePairHasThePropertiesOfItsTransport(QpType type) {
        QpFacts facts = of(type, Element.queuePair(17));
        assertThat(facts.isReliable()).isEqualTo(type.isReliable());
        assertThat(facts.isAnswered()).isEqualTo(facts.speaks().isAnswered());
        assertThat(facts.isOrdered()).isEqualTo(type != QpType.UD);
        assertThat(facts.receivesGrh()).isEqualTo(type == QpType.UD);
        assertThat(facts.hasOnePeer()).isEqualTo(type != QpType.UD && type != QpType.DC_TGT);
    }

    // rule dc-responder
    @Test
    void aRespondersTypeHasOnePeerAndIsNotTheTarget() {
        assertThat(of(QpType.DC_TGT, Element.responder(3)).hasOnePeer()).isTrue();
        assertThat(of(QpType.DC_TGT, Element.queuePair(17)).isDcTarget()).isTrue();
        assertThat(of(QpType.DC_TGT, Element.responder(3)).isDcTarget()).isFalse();
    }
}
