// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.RemoteAddress;
import org.junit.jupiter.api.Test;

/** Masked atomics of eight bytes, of numbers. */
class MaskedAtomicValuesTest {
    private static final LocalSlice HERE = new LocalSlice(1, 0, 8);
    private static final RemoteAddress THERE = new RemoteAddress(64, 2);

    private static AtomicValue eight(long value) {
        return AtomicValue.ofLong(value);
    }

    @Test
    void aLongIsAValueOfEightBytes() {
        assertThat(MaskedCompareAndSwap.of(1, HERE, THERE, 2, 3)
                        .withCompareMask(4)
                        .withSwapMask(5))
                .isEqualTo(MaskedCompareAndSwap.of(1, HERE, THERE, eight(2), eight(3))
                        .withCompareMask(eight(4))
                        .withSwapMask(eight(5)));
        assertThat(MaskedCompareAndSwap.swap(1, HERE, THERE, 2))
                .isEqualTo(MaskedCompareAndSwap.swap(1, HERE, THERE, eight(2)));
        assertThat(MaskedCompareAndSwap.and(1, HERE, THERE, 2))
                .isEqualTo(MaskedCompareAndSwap.and(1, HERE, THERE, eight(2)));
        assertThat(MaskedCompareAndSwap.or(1, HERE, THERE, 2))
                .isEqualTo(MaskedCompareAndSwap.or(1, HERE, THERE, eight(2)));
        assertThat(MaskedFetchAdd.of(1, HERE, THERE, 2).withBoundary(3))
                .isEqualTo(MaskedFetchAdd.of(1, HERE, THERE, eight(2)).withBoundary(eight(3)));
        assertThat(MaskedFetchAdd.xor(1, HERE, THERE, 2)).isEqualTo(MaskedFetchAdd.xor(1, HERE, THERE, eight(2)));
    }

    @Test
    void aLongMaskOfAFourByteValueIsRefused() {
        AtomicValue four = AtomicValue.ofInt(1);
        assertThatThrownBy(() -> MaskedFetchAdd.of(1, HERE, THERE, four).withBoundary(1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        MaskedCompareAndSwap.of(1, HERE, THERE, four, four).withCompareMask(1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
