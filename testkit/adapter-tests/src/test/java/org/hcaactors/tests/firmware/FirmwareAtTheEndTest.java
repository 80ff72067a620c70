// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.firmware;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.firmware.Firmware;
import org.hcaactors.api.firmware.FirmwareAssignment;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.Restart;
import org.hcaactors.network.Environment;
import org.hcaactors.network.FirmwareFiles;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of an adapter whose network is closed. */
class FirmwareAtTheEndTest {
    // rules firmware-kept, firmware-levels
    @Test
    void anAdapterOfAClosedNetworkKeepsItsSettingsUnapplied(@TempDir Path folder) {
        Environment kept = Environment.production().withFirmware(FirmwareFiles.in(folder));
        Firmware firmware;
        try (RdmaNetwork network = RdmaNetwork.start(kept)) {
            firmware = network.addAdapter("b", Profile.CONNECTX_5_IBM).firmware();
            firmware.set(FirmwareAssignment.on(FirmwareParameter.IBM_AS_NOTIFY_EN));
        }
        CompletionStage<Void> late = firmware.restart(Restart.POWER_CYCLE);
        assertThat(late.toCompletableFuture())
                .isCompletedExceptionally()
                .isNotCancelled()
                .satisfies(stage -> assertThat(stage.exceptionNow())
                        .isInstanceOfSatisfying(
                                VerbsException.class,
                                reason -> assertThat(reason.errno()).isEqualTo(Errno.EINVAL)));
        try (RdmaNetwork network = RdmaNetwork.start(kept)) {
            Adapter again = network.addAdapter("b", Profile.CONNECTX_5_IBM);
            assertThat(again.profile().platform().features()).isEmpty();
            assertThat(again.firmware()
                            .setting(FirmwareParameter.IBM_AS_NOTIFY_EN)
                            .pending())
                    .isTrue();
        }
    }
}
