// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.junit.jupiter.api.Test;

class NumbersNotReusedTest {
    private final HandMadeTrace trace = new HandMadeTrace(new NumbersNotReused(), QpType.RC);

    private void create(String port, int number) {
        trace.tell(new HcaEvent.QueuePairCreated(
                trace.next(), port, Element.queuePair(number), QpType.RC, 1, 1, 1, OptionalInt.empty()));
    }

    @Test
    void otherNumbersAndOtherPortsAreRight() {
        create(HandMadeTrace.PORT, HandMadeTrace.QP + 1);
        create("b", HandMadeTrace.QP);
        trace.register(HandMadeTrace.QP);
        trace.register(0x300);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void aReusedNumberIsFound() {
        create(HandMadeTrace.PORT, HandMadeTrace.QP);
        assertThat(trace.stories()).containsExactly("a assigns the number of queue pair 17 a second time");
    }

    @Test
    void aReusedKeyIsFound() {
        trace.register(0x300);
        trace.register(0x300);
        assertThat(trace.stories()).containsExactly("a assigns the number of key 768 a second time");
    }
}
