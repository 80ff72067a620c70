// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PatchTest {
    static Stream<Patch> ofWhatThereIsNot() {
        return Stream.of(
                new Patch("queue.PathHandle", "isAjar", Wrongs.SaysYes.class),
                Patch.without("queue.PathHandle", "isAjar", "isOpen"),
                Patch.without("queue.PathHandle", "checked", "isAjar"),
                Patch.withoutSetting("queue.PathHandle", "destroy", "ajar"),
                Patch.withoutReading("queue.PathHandle", "isOpen", "ajar"));
    }

    /** A bug that plants nothing is found by nobody. */
    @ParameterizedTest
    @MethodSource("ofWhatThereIsNot")
    void aPatchThatChangesNothingIsRefused(Patch patch) {
        assertThatThrownBy(patch::apply)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("changes nothing");
    }
}
