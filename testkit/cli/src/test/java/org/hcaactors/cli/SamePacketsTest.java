// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo and every scenario of the gallery put the same packets on the wire, byte for byte and at the same virtual times, as
 * when the list was made: so a change that is meant to move code alone is seen to move nothing else. A change that is meant
 * to alter packets writes the list with {@code -Dpackets.write=true}, and says why.
 */
@Tag("judge")
class SamePacketsTest {
    private static final Path SCENARIOS = Path.of("../../docs/guide/scenarios");
    private static final Path LIST = Path.of("src/test/resources/packets.sha256");
    private static final int SEEDS = 3;

    @TempDir
    Path folder;

    @Test
    void theDemoAndTheGalleryPutTheSamePacketsOnTheWire() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            lines.add(line("demo", seed, "demo"));
            for (Path scenario : scenarios()) {
                lines.add(line(scenario.getFileName().toString(), seed, "run", scenario.toString()));
            }
        }
        if (Boolean.getBoolean("packets.write")) {
            Files.write(LIST, lines);
        }
        assertThat(lines).isEqualTo(Files.readAllLines(LIST));
    }

    private static List<Path> scenarios() throws IOException {
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            return files.sorted().toList();
        }
    }

    private String line(String name, int seed, String... command) throws IOException {
        String[] all = Stream.concat(
                        Stream.of(command), Stream.of("--seed", Integer.toString(seed), "--out", folder.toString()))
                .toArray(String[]::new);
        CommandRun run = CommandRun.of(all);
        assertThat(run.status()).as("%s, seed %d: %s", name, seed, run.err()).isZero();
        return "%s %d %s".formatted(name, seed, digest(Files.readAllBytes(folder.resolve("packets.pcapng"))));
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every JDK has SHA-256", absent);
        }
    }
}
