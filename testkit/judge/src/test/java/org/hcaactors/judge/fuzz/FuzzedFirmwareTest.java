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
import org.hcaactors.adapter.firmware.FirmwareSettings;
import org.hcaactors.adapter.firmware.SettingsText;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.firmware.FirmwareException;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.hcaactors.api.firmware.Restart;
import org.junit.jupiter.api.Test;

/**
 * Feeds files of firmware settings with arbitrary contents, most with a valid checksum: they are accepted, or refused with a
 * message.
 */
class FuzzedFirmwareTest {
    private static final List<String> LEVELS = List.of("current", "next", "Current", "", "sum", "later");

    @Test
    void everyMutatedFileIsReadOrRefused() {
        Fuzzing.Tally tally = new Fuzzing.Tally("firmware files");
        int rounds = Fuzzing.rounds(5_000);
        for (int i = 0; i < rounds; i++) {
            SplittableRandom random = Fuzzing.random("firmware", i);
            Profile model = Fuzzing.one(Profile.ALL, random);
            byte[] file = file(model, random);
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

    private static void use(Profile model, FirmwareSettings read) {
        FirmwareImage image = new FirmwareImage(model);
        assertThat(image.rows(read)).isNotNull();
        for (Restart how : Restart.values()) {
            assertThat(image.effective(image.restarted(read, how))).isNotNull();
        }
        byte[] again = new SettingsText(model, "again").write(read);
        assertThat(new SettingsText(model, "again").read(again)).isEqualTo(read);
    }

    private static byte[] file(Profile model, SplittableRandom random) {
        List<String> lines = new ArrayList<>();
        lines.add(random.nextInt(20) == 0 ? "hca-firmware " + Fuzzing.one(Fuzzing.NUMBERS, random) : "hca-firmware 1");
        lines.add("model "
                + (random.nextInt(20) == 0
                        ? Fuzzing.one(Fuzzing.NUMBERS, random)
                        : Integer.toString(model.vendorPartId())));
        List<FirmwareParameter> own = List.copyOf(model.firmware().parameters());
        for (int i = random.nextInt(4); i > 0; i--) {
            lines.add(line(model, own, random));
        }
        String body = String.join("\n", lines) + "\n";
        byte[] bytes = (body + "sum " + sum(body) + "\n").getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(10) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(20) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length * 2)) : bytes;
    }

    private static String line(Profile model, List<FirmwareParameter> own, SplittableRandom random) {
        FirmwareParameter parameter = own.isEmpty() || random.nextInt(8) == 0
                ? Fuzzing.one(List.of(FirmwareParameter.values()), random)
                : Fuzzing.one(own, random);
        String level = random.nextInt(8) == 0 ? Fuzzing.one(LEVELS, random) : LEVELS.get(random.nextInt(2));
        String value = model.firmware()
                .range(parameter)
                .filter(range -> random.nextInt(3) > 0)
                .map(range -> Long.toString(random.nextBoolean() ? range.max() : range.min()))
                .orElseGet(() -> Fuzzing.one(Fuzzing.NUMBERS, random));
        String gap = random.nextInt(20) == 0 ? "  " : " ";
        return level + gap + parameter + " " + value;
    }

    private static String sum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return "%08x".formatted(sum.getValue());
    }
}
