// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Bindings of windows. */
class WindowBindingTest {
    @Test
    void aNegativeLengthIsRefusedByTheFactory() {
        assertThatThrownBy(() -> WindowBinding.withoutRegion(4096, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the length of a binding is -1 bytes; 0 or more is allowed");
        assertThat(WindowBinding.withoutRegion(4096, 0).lengthBytes()).isZero();
    }
}
