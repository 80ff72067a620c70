// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.firmware;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.zip.CRC32;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** File format of firmware settings (rule firmware-kept). */
class SettingsTextTest {
    private static final FirmwareSettings SOME = new FirmwareSettings(
            Map.of(FirmwareParameter.IBM_AS_NOTIFY_EN, 1L),
            Map.of(FirmwareParameter.DCR_LIFO_SIZE, 2047L, FirmwareParameter.ADVANCED_PCI_SETTINGS, 1L));

    private final SettingsText text = new SettingsText(Profile.CONNECTX_5_IBM, "here");

    private static String summedUp(String body) {
        String lines = body.replace("|", "\n") + "\n";
        CRC32 sum = new CRC32();
        sum.update(lines.getBytes(US_ASCII));
        return lines + "sum %08x\n".formatted(sum.getValue());
    }

    @Test
    void settingsAreWrittenAsReadableLines() {
        assertThat(new String(text.write(SOME), US_ASCII))
                .isEqualTo(summedUp("hca-firmware 1|model 4121|current IBM_AS_NOTIFY_EN 1"
                        + "|next ADVANCED_PCI_SETTINGS 1|next DCR_LIFO_SIZE 2047"));
        assertThat(text.read(text.write(SOME))).isEqualTo(SOME);
        assertThat(text.read(text.write(FirmwareSettings.DEFAULTS))).isEqualTo(FirmwareSettings.DEFAULTS);
    }

    @Test
    void aFileWithAnyByteChangedOrCutAnywhereIsRefused() {
        byte[] whole = text.write(SOME);
        for (int at = 0; at < whole.length; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 1;
            assertThatThrownBy(() -> text.read(changed)).isInstanceOf(FirmwareException.class);
            byte[] cut = java.util.Arrays.copyOf(whole, at);
            assertThatThrownBy(() -> text.read(cut)).isInstanceOf(FirmwareException.class);
        }
        assertThatThrownBy(() -> text.read(java.util.Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(FirmwareException.class);
        assertThatThrownBy(() -> text.read(new byte[1 << 16]))
                .hasMessageContaining("the file has 65536 bytes, and the maximum is 16384");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "hca-firmware 2|model 4121; the file has version 2, and this program reads version 1",
                "mlxconfig 1|model 4121; the file does not begin with \"hca-firmware 1\"",
                "hca-firmware 1|model 4119; the file is for model 4119, and the device is model 4121",
                "hca-firmware 1; the file is for no model, and the device is model 4121",
                "hca-firmware 1|model 4121|later IBM_CAPI_EN 1; line \"later IBM_CAPI_EN 1\" is not valid",
                "hca-firmware 1|model 4121|next IBM_CAPI_EN; line \"next IBM_CAPI_EN\" is not valid",
                "hca-firmware 1|model 4121|next IBM_CAPI_EN 2; line \"next IBM_CAPI_EN 2\" is not valid; one line per parameter is allowed, and False",
                "hca-firmware 1|model 4121|next IBM_CAPI_EN -1; line \"next IBM_CAPI_EN -1\" is not valid; one line per parameter is allowed, and False",
                "hca-firmware 1|model 4121|next IBM_CAPI_EN 1|next IBM_CAPI_EN 1; line \"next IBM_CAPI_EN 1\" is not valid; one line per parameter",
                "hca-firmware 1|model 4121|next SRIOV_EN 1; the file sets SRIOV_EN, which this version does not know",
                "hca-firmware 1|model 4121|next MEMIC_ATOMIC 1; the file sets MEMIC_ATOMIC, which the device does not have"
            })
    void aWellFormedFileOfInvalidSettingsIsRefusedWithTheReason(String body, String reason) {
        assertThatThrownBy(() -> text.read(summedUp(body).getBytes(US_ASCII)))
                .isInstanceOf(FirmwareException.class)
                .hasMessageStartingWith("The settings in here can't be used: " + reason);
    }
}
