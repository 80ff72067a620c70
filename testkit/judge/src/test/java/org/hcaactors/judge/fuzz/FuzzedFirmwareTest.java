// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.hcaactors.adapter.firmware.FirmwareImage;
import org.hcaactors.adapter.firmware.Settings;
import org.hcaactors.adapter.firmware.SettingsText;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.Restart;
import org.junit.jupiter.api.Test;

/** Files of firmware settings with anything in them, most of them with a right sum, are settings or are refused in a sentence. */
class FuzzedFirmwareTest {
    private static final List<String> LEVELS = List.of("current", "next", "Current", "", "sum", "later");

    @Test
    void anyFileIsSettingsOrIsRefused() {
        Fuzzing.Tally tally = new Fuzzing.Tally("firmware files");
        int rounds = Fuzzing.rounds(5_000);
        for (int i = 0; i < rounds; i++) {
            SplittableRandom lots = Fuzzing.lots("firmware", i);
            Profile model = Fuzzing.one(Profile.ALL, lots);
            byte[] file = file(model, lots);
            try {
                use(model, new SettingsText(model, "fuzzed.conf").read(file));
                tally.worked++;
            } catch (FirmwareException told) {
                tally.refused++;
                assertThat(told.getMessage()).contains("fuzzed.conf").doesNotContain("\n");
            } catch (RuntimeException | Error other) {
                tally.failed(i, other, () -> Arrays.toString(file));
            }
        }
        tally.check(rounds);
    }

    private static void use(Profile model, Settings read) {
        FirmwareImage image = new FirmwareImage(model);
        assertThat(image.rows(read)).isNotNull();
        for (Restart how : Restart.values()) {
            assertThat(image.effective(image.restarted(read, how))).isNotNull();
        }
        byte[] again = new SettingsText(model, "again").write(read);
        assertThat(new SettingsText(model, "again").read(again)).isEqualTo(read);
    }

    private static byte[] file(Profile model, SplittableRandom lots) {
        List<String> lines = new ArrayList<>();
        lines.add(lots.nextInt(20) == 0 ? "hca-firmware " + Fuzzing.one(Fuzzing.NUMBERS, lots) : "hca-firmware 1");
        lines.add("model "
                + (lots.nextInt(20) == 0
                        ? Fuzzing.one(Fuzzing.NUMBERS, lots)
                        : Integer.toString(model.vendorPartId())));
        List<FirmwareParameter> own = List.copyOf(model.firmware().parameters());
        for (int i = lots.nextInt(4); i > 0; i--) {
            lines.add(line(model, own, lots));
        }
        String body = String.join("\n", lines) + "\n";
        byte[] bytes = (body + "sum " + sum(body) + "\n").getBytes(StandardCharsets.UTF_8);
        if (lots.nextInt(10) == 0) {
            bytes[lots.nextInt(bytes.length)] = (byte) lots.nextInt(256);
        }
        return lots.nextInt(20) == 0 ? Arrays.copyOf(bytes, lots.nextInt(bytes.length * 2)) : bytes;
    }

    private static String line(Profile model, List<FirmwareParameter> own, SplittableRandom lots) {
        FirmwareParameter parameter = own.isEmpty() || lots.nextInt(8) == 0
                ? Fuzzing.one(List.of(FirmwareParameter.values()), lots)
                : Fuzzing.one(own, lots);
        String level = lots.nextInt(8) == 0 ? Fuzzing.one(LEVELS, lots) : LEVELS.get(lots.nextInt(2));
        String value = model.firmware()
                .range(parameter)
                .filter(range -> lots.nextInt(3) > 0)
                .map(range -> Long.toString(lots.nextBoolean() ? range.most() : range.least()))
                .orElseGet(() -> Fuzzing.one(Fuzzing.NUMBERS, lots));
        String gap = lots.nextInt(20) == 0 ? "  " : " ";
        return level + gap + parameter + " " + value;
    }

    private static String sum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(sum.getValue());
    }
}
