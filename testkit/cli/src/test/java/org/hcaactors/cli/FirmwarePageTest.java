// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hcaactors.api.firmware.FirmwareParameter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guide's page on settings shows each command with its output. With {@code -Dguide.write=true} the page is written;
 * without, it must be as it would be written.
 */
@Tag("judge")
class FirmwarePageTest {
    private static final Path PAGE = Path.of("../../docs/guide/firmware.md");
    private static final String PROMPT = "$ testkit/hca ";
    private static final String FILTER = " | grep ";

    @TempDir
    private Path settings;

    // rules firmware-levels, firmware-activation, firmware-types, firmware-dependency, firmware-all-or-nothing,
    // firmware-reset,
    // firmware-rings
    @Test
    void everyCommandIsFollowedByItsOutput() throws IOException {
        List<String> page = new ArrayList<>();
        boolean console = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                console = line.equals("```console");
            }
            if (line.startsWith(PROMPT)) {
                page.add(line);
                page.addAll(printed(line.substring(PROMPT.length())));
            } else if (!console || line.startsWith("```")) {
                page.add(row(line));
            }
        }
        String expected = String.join("\n", page) + "\n";
        if (Boolean.getBoolean("guide.write")) {
            Files.writeString(PAGE, expected);
        }
        assertThat(PAGE).as("made anew by -Dguide.write=true").hasContent(expected);
    }

    private List<String> printed(String command) {
        String[] parts = command.split(Pattern.quote(FILTER));
        List<String> words = new ArrayList<>(List.of(parts[0].split(" ")));
        if (!words.getFirst().equals("vnic")) {
            words.addAll(1, List.of("--dir", settings.toString()));
        }
        CommandRun run = CommandRun.of(words.toArray(String[]::new));
        return Stream.concat(run.out().lines(), run.err().lines())
                .filter(line -> parts.length == 1 || line.contains(parts[1]))
                .toList();
    }

    /** What the code knows of a setting. */
    private static String row(String line) {
        return Stream.of(FirmwareParameter.values())
                .filter(parameter -> line.startsWith("| `" + parameter + "` |"))
                .findFirst()
                .map(parameter -> Stream.of(
                                "| `" + parameter + "`",
                                parameter
                                        .type()
                                        .allowed(parameter.type().range())
                                        .replaceAll(" are allowed", ""),
                                parameter
                                        .appliesAfter()
                                        .name()
                                        .toLowerCase(Locale.ROOT)
                                        .replace('_', ' '),
                                line.substring(line.lastIndexOf(" | ", line.length() - 3) + 3))
                        .collect(Collectors.joining(" | ")))
                .orElse(line);
    }

    @Test
    void everySettingHasItsRow() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(FirmwareParameter.values())
                .allSatisfy(parameter -> assertThat(page).contains("\n| `" + parameter + "` |"));
    }
}
