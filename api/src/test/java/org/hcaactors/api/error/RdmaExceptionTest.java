// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareRefusal;
import org.junit.jupiter.api.Test;

/** One exception above those of verbs and of firmware settings. */
class RdmaExceptionTest {
    @Test
    void aVerbsRefusalHasItsErrnoAndFirmwaresHasNone() {
        RdmaException verb = VerbsException.invalid("no such queue");
        RdmaException firmware = new FirmwareException(List.of(new FirmwareRefusal.NoFirmware("Soft-RoCE")));
        assertThat(verb).hasMessage("EINVAL: no such queue");
        assertThat(verb.findErrno()).contains(Errno.EINVAL);
        assertThat(firmware).hasMessage("The Device has no firmware settings: Soft-RoCE");
        assertThat(firmware.findErrno()).isEmpty();
    }
}
