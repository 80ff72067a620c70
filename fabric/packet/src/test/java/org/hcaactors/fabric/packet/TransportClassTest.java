// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
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
}
