// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.junit.jupiter.api.Test;

class NumbersRestTest {
    private final HandMadeTrace trace = new HandMadeTrace(new NumbersRest(), QpType.RC);

    private void create(String port, int number) {
        trace.tell(new HcaEvent.QueuePairCreated(
                trace.next(), port, Element.queuePair(number), QpType.RC, 1, 1, 1, OptionalInt.empty()));
    }

    private void register(int key) {
        trace.tell(new HcaEvent.Registered(
                trace.next(),
                HandMadeTrace.PORT,
                Element.key(key),
                HcaEvent.KeyKind.MEMORY_REGION,
                List.of(),
                "app",
                1,
                0,
                64,
                AccessFlags.LOCAL_AND_REMOTE));
    }

    @Test
    void othersAndThoseOfAnotherPortAreRight() {
        create(HandMadeTrace.PORT, HandMadeTrace.QP + 1);
        create("b", HandMadeTrace.QP);
        register(HandMadeTrace.QP);
        register(0x300);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void aNumberThatComesBackIsFound() {
        create(HandMadeTrace.PORT, HandMadeTrace.QP);
        assertThat(trace.stories()).containsExactly("a gives out queue pair 17 again");
    }

    @Test
    void aKeyThatComesBackIsFound() {
        register(0x300);
        register(0x300);
        assertThat(trace.stories()).containsExactly("a gives out key 768 again");
    }
}
