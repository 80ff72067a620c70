package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hca conform}. */
class ConformTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CAPTURES = Path.of("../../fabric/src/test/resources/captures");
    private static final Path README = Path.of("../../README.md");

    private static CommandRun conformAll(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("conform"));
        try (Stream<Path> files = Files.list(CAPTURES)) {
            files.filter(file -> file.toString().endsWith(".pcap"))
                    .sorted()
                    .forEach(file -> arguments.add(file.toString()));
        }
        arguments.addAll(List.of(more));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void theReadmeSaysWhatTheCapturesCameTo() throws IOException {
        CommandRun run = conformAll();
        assertThat(run.status()).isZero();
        String totals = run.out()
                .lines()
                .filter(line -> line.contains(" completions judged: "))
                .findFirst()
                .orElseThrow();
        assertThat(totals).endsWith(" 0 mismatches");
        assertThat(Files.readString(README)).contains(totals);
    }

    @Test
    void jsonHasEveryFileAndTheTotal() throws IOException {
        JsonNode told = JSON.readTree(conformAll("--json").out());
        assertThat(told.get("files")).hasSize(50);
        JsonNode total = told.get("total");
        assertThat(total.get("mismatches")).isEmpty();
        assertThat(total.get("same").asInt()).isGreaterThan(2000);
        assertThat(total.get("differences").get("wire-duplicate").asInt()).isEqualTo(45);
    }

    @Test
    void aChangedCaptureIsCaught(@TempDir Path folder) throws IOException {
        byte[] bytes = Files.readAllBytes(CAPTURES.resolve("op_bad_rkey.pcap"));
        bytes[bytes.length - 8] ^= 1;
        Path changed = Files.write(folder.resolve("changed.pcap"), bytes);
        CommandRun run = CommandRun.of("conform", changed.toString());
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).contains("MISMATCHES").contains("frame 2: captured a wrong ICRC");
    }

    @Test
    void whatIsNoCaptureIsRefusedInOneLine() {
        for (String file : List.of("no-such.pcap", "pom.xml", "src")) {
            CommandRun run = CommandRun.of("conform", file);
            assertThat(run.status()).isEqualTo(2);
            assertThat(run.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("hca: ")
                    .contains(file);
        }
    }
}
