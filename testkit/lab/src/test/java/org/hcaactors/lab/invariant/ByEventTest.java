// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByEventTest {
    private final ByEvent<String> told = new ByEvent<>();

    @Test
    void aValueIsFoundUnderItsEventOnly() {
        told.put(7, "seven");
        told.put(7 + 5_000, "another");

        assertThat(told.get(7)).isEqualTo("seven");
        assertThat(told.get(7 + 5_000)).isEqualTo("another");
        assertThat(told.get(8)).isNull();
        assertThat(told.get(0)).isNull();
    }

    @Test
    void anOldEventIsForgottenAndNotTakenForANewOne() {
        long later = 7 + ByEvent.REMEMBERED;
        told.put(7, "old");
        assertThat(told.get(later)).isNull();

        told.put(later, "new");
        assertThat(told.get(7)).isNull();
        assertThat(told.get(later)).isEqualTo("new");
    }

    @Test
    void aValueOfAForgottenEventReplacesNoNewerOne() {
        long later = 7 + ByEvent.REMEMBERED;
        told.put(later, "new");
        told.put(7, "too late");

        assertThat(told.get(7)).isNull();
        assertThat(told.get(later)).isEqualTo("new");
    }
}
