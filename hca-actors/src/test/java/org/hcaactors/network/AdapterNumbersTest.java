// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdapterNumbersTest {
    private final AdapterNumbers numbers = new AdapterNumbers(4);

    private int take() {
        int number = numbers.next();
        numbers.take(number);
        return number;
    }

    @Test
    void aFreedNumberIsGivenAgainAfterAllOthers() {
        List<Integer> taken = new ArrayList<>(List.of(take(), take()));
        numbers.free(1);
        taken.add(take());
        taken.add(take());
        taken.add(take());
        assertThat(taken).containsExactly(1, 2, 3, 4, 1);
    }

    @Test
    void aNumberThatIsNotTakenIsGivenNext() {
        assertThat(numbers.next()).isEqualTo(1);
        assertThat(numbers.next()).isEqualTo(1);
    }
}
