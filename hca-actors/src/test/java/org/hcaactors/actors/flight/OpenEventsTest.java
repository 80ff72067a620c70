// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenEventsTest {
    private final OpenEvents<String> open = new OpenEvents<>(2);

    @Test
    void anEventEndsOnce() {
        open.begun(7, "seven");
        assertThat(open.ended(7)).contains("seven");
        assertThat(open.ended(7)).isEmpty();
        assertThat(open.size()).isZero();
    }

    @Test
    void anEventBeyondTheLimitIsRejectedAndCounted() {
        open.begun(1, "one");
        open.begun(2, "two");
        open.begun(3, "three");
        assertThat(open.ended(3)).isEmpty();
        assertThat(open.turnedAway()).isEqualTo(1);
        assertThat(open.ended(1)).contains("one");
        open.begun(4, "four");
        assertThat(open.ended(4)).contains("four");
    }

    @Test
    void aForgottenEventDoesNotEnd() {
        open.begun(1, "one");
        open.forget();
        assertThat(open.ended(1)).isEmpty();
        assertThat(open.size()).isZero();
    }
}
