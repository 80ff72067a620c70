// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.StridedSlice;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.SendFlags;
import org.junit.jupiter.api.Test;

/** Layouts of indirect keys, and the request that fills a key. */
class KeyLayoutTest {
    private static final LocalSlice SLICE = new LocalSlice(1, 64, 8);

    @Test
    void aListIsAsLongAsItsSlicesAndTakesAsManyEntries() {
        KeyLayout list = KeyLayout.list(SLICE, SLICE);
        assertThat(list.lengthBytes()).isEqualTo(16);
        assertThat(list.entries()).isEqualTo(2);
        assertThat(list.isInterleaved()).isFalse();
        assertThat(list).isEqualTo(KeyLayout.list(SLICE, SLICE)).hasSameHashCodeAs(KeyLayout.list(SLICE, SLICE));
    }

    // rule indirect-limits
    @Test
    void interleavedSlicesAreRepeatedAndTakeOneEntryMore() {
        KeyLayout strides = KeyLayout.interleaved(3, new StridedSlice(1, 64, 8, 8));
        assertThat(strides.lengthBytes()).isEqualTo(24);
        assertThat(strides.entries()).isEqualTo(2);
        assertThat(strides)
                .isNotEqualTo(KeyLayout.list(SLICE))
                .hasToString("KeyLayout[true, 3, " + "[StridedSlice[lkey=1, address=64, lengthBytes=8, skipBytes=8]]]");
    }

    @Test
    void aStrideCountsFromFirstByteToFirstByte() {
        assertThat(StridedSlice.ofStride(1, 64, 8, 24)).isEqualTo(new StridedSlice(1, 64, 8, 16));
        assertThat(StridedSlice.ofStride(1, 64, 8, 24).strideBytes()).isEqualTo(24);
        assertThatThrownBy(() -> StridedSlice.ofStride(1, 64, 8, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void eachCallGivesAnotherRequestAndChangesNothingElse() {
        FillKey plain = FillKey.of(5, 0x300, 8, KeyLayout.list(SLICE));
        FillKey full = plain.withAccess(Access.REMOTE_READ)
                .withListEntries(9)
                .withFence()
                .withSignaled();
        assertThat(plain.access()).isEqualTo(AccessFlags.NONE);
        assertThat(plain.listEntries()).isEmpty();
        assertThat(full.access()).isEqualTo(AccessFlags.of(Access.REMOTE_READ));
        assertThat(full.listEntries()).hasValue(9);
        assertThat(full.flags()).isEqualTo(SendFlags.NONE.withFence().withSignaled());
        assertThat(full.key()).isEqualTo(0x300);
        assertThat(full.maxEntries()).isEqualTo(8);
        assertThat(full.local()).isEmpty();
        assertThat(full.lengthBytes()).isZero();
        assertThat(full).isNotEqualTo(plain).isEqualTo(full.withFlags(full.flags()));
    }
}
