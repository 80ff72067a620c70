// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.key;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.adapter.audit.ObjectKind;
import org.junit.jupiter.api.Test;

class KeyLimitsTest {
    private final KeyLimits limits = new KeyLimits();

    // rule window-limit
    @Test
    void eachKindHasItsOwnLimit() {
        limits.added(0x100, ObjectKind.WINDOW, 1);
        assertThatThrownBy(() -> limits.check(ObjectKind.WINDOW, 1))
                .hasMessageContaining("all 1 windows of the adapter are in use");
        assertThatCode(() -> limits.check(ObjectKind.INDIRECT_KEY, 1)).doesNotThrowAnyException();
    }

    // rule window-limit
    @Test
    void aReleasedKeyFreesItsPlaceUnderItsRegisteredVariantOnly() {
        limits.added(0x100, ObjectKind.WINDOW, 1);
        limits.released(0x107);
        assertThatCode(() -> limits.check(ObjectKind.WINDOW, 1)).doesNotThrowAnyException();
        limits.released(0x100);
        limits.added(0x100, ObjectKind.WINDOW, 1);
        assertThatThrownBy(() -> limits.check(ObjectKind.WINDOW, 1)).hasMessageContaining("ENOMEM");
    }

    @Test
    void aLimitOfZeroRefusesEveryObject() {
        assertThatThrownBy(() -> limits.check(ObjectKind.WINDOW, 0)).hasMessageContaining("all 0 windows");
    }
}
