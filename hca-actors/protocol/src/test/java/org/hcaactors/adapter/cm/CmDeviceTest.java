// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CmDeviceTest {
    private static final long GUID = 0x0200_00FF_FE00_0003L;

    // rule cm-stale
    @Test
    void theSuccessorOfAProcessHasOtherIds() {
        CmDevice before = CmDevice.of(GUID, 15, 0x1234_5678, 0);
        CmDevice after = CmDevice.of(GUID, 15, 0x0765_4321, 0);
        assertThat(before.firstCommId() - after.firstCommId()).isEqualTo(0x1234_5678 - 0x0765_4321);
        assertThat(before.caGuid()).isEqualTo(after.caGuid());
    }

    // rule cm-reply
    @Test
    void theAckDelayIsThatOfTheProfile() {
        assertThat(CmDevice.of(GUID, 16, 0, 0).targetAckDelay()).isEqualTo(16);
        assertThat(CmDevice.of(GUID, 15, 0, 0).targetAckDelay()).isEqualTo(15);
    }

    // rule cm-stale
    @Test
    void everyRestartHasItsOwnIds() {
        assertThat(IntStream.range(0, 256)
                        .map(restarts -> CmDevice.of(GUID, 15, 7, restarts).firstCommId()))
                .doesNotHaveDuplicates();
    }
}
