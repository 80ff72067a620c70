// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TransportClassTest {
    @ParameterizedTest
    @EnumSource(TransportClass.class)
    void aClassIsAnsweredIfItHasAcknowledgements(TransportClass transport) {
        boolean acknowledges = Arrays.stream(Opcode.values())
                .filter(opcode -> opcode.transport() == transport)
                .anyMatch(opcode -> opcode.operation() == Operation.ACKNOWLEDGE);
        assertThat(transport.isAnswered()).isEqualTo(acknowledges);
    }

    private static List<TransportClass> all(Predicate<TransportClass> fact) {
        return Arrays.stream(TransportClass.values()).filter(fact).toList();
    }

    @Test
    void connectionsAreOrderedAndThoseOfUcAreNotAnswered() {
        assertThat(all(TransportClass::isAnswered))
                .containsExactly(TransportClass.RC, TransportClass.DC, TransportClass.XRC);
        assertThat(all(TransportClass::isOrdered))
                .containsExactly(TransportClass.RC, TransportClass.UC, TransportClass.DC, TransportClass.XRC);
    }

    @Test
    void allButDatagramsHaveOnePeer() {
        assertThat(all(TransportClass::hasOnePeer))
                .containsExactly(TransportClass.RC, TransportClass.UC, TransportClass.DC, TransportClass.XRC);
    }

    @Test
    void reliableTransportsAreAnsweredAndOrdered() {
        assertThat(all(TransportClass::isReliable))
                .containsExactly(TransportClass.RC, TransportClass.DC, TransportClass.XRC);
    }
}
