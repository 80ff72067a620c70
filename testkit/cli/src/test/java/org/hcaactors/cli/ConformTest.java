// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hca conform}. */
class ConformTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CAPTURES = Path.of("../../fabric/packet/src/test/resources/captures");
    private static final Path PAGE = Path.of("../../docs/reference/conformance.md");

    /** All but the one that holds connection management only, of which nothing is judged. */
    private static CommandRun conformAll(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("conform"));
        try (Stream<Path> files = Files.walk(CAPTURES)) {
            files.filter(file -> (file.toString().endsWith(".pcap")
                                    || file.toString().endsWith(".pcapng"))
                            && !file.getFileName().toString().equals("cm_reject.pcap"))
                    .sorted()
                    .forEach(file -> arguments.add(file.toString()));
        }
        arguments.addAll(List.of(more));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void theReadmeHasTheTotalsOfTheCaptures() throws IOException {
        CommandRun run = conformAll();
        assertThat(run.status()).isZero();
        String totals = run.out()
                .lines()
                .filter(line -> line.contains(" completions compared: "))
                .findFirst()
                .orElseThrow();
        assertThat(totals).endsWith(" 0 mismatches");
        assertThat(Files.readString(PAGE)).contains(totals);
    }

    @Test
    void jsonHasEveryFileAndTheTotal() throws IOException {
        JsonNode told = JSON.readTree(conformAll("--json").out());
        assertThat(told.get("files")).hasSize(52);
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
    void aMismatchNamesItsField(@TempDir Path folder) throws IOException {
        byte[] bytes = Files.readAllBytes(CAPTURES.resolve("op_bad_rkey.pcap"));
        bytes[bytes.length - 8] ^= 1;
        Path changed = Files.write(folder.resolve("changed.pcap"), bytes);
        assertThat(CommandRun.of("conform", changed.toString()).out()).contains("; ICRC wrong instead of right");
        JsonNode told = JSON.readTree(
                CommandRun.of("conform", "--json", changed.toString()).out());
        JsonNode field =
                told.get("total").get("mismatches").get(0).get("fields").get(0);
        assertThat(field.get("field").asText()).isEqualTo("ICRC");
        assertThat(field.get("captured").asText()).isEqualTo("wrong");
        assertThat(field.get("ours").asText()).isEqualTo("right");
    }

    @Test
    void aFileWithoutComparedPacketsIsNoSuccess(@TempDir Path folder) throws IOException {
        byte[] pcap = Files.readAllBytes(CAPTURES.resolve("op_bad_rkey.pcap"));
        Path empty = Files.write(folder.resolve("empty.pcap"), Arrays.copyOf(pcap, 24));
        Path others = CAPTURES.resolveSibling("made").resolve("dc.pcap");
        Path judged = CAPTURES.resolve("op_bad_rkey.pcap");
        for (Path file : List.of(empty, others)) {
            CommandRun run = CommandRun.of("conform", file.toString());
            assertThat(run.status()).isEqualTo(1);
            assertThat(run.out()).contains("NOT COMPARED");
            assertThat(CommandRun.of("conform", judged.toString(), file.toString())
                            .status())
                    .as("beside one that was")
                    .isEqualTo(1);
            assertThat(CommandRun.of("conform", "--json", file.toString()).status())
                    .isEqualTo(1);
        }
        assertThat(CommandRun.of("conform", judged.toString()).status()).isZero();
    }

    /** A capture of which each frame's last byte, which is one of its ICRC, is another. */
    private static Path withWrongIcrcs(Path capture, Path to) throws IOException {
        byte[] pcap = Files.readAllBytes(capture);
        ByteBuffer records = ByteBuffer.wrap(pcap).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 24; at < pcap.length; at += 16 + records.getInt(at + 8)) {
            pcap[at + 15 + records.getInt(at + 8)] ^= 1;
        }
        return Files.write(to, pcap);
    }

    @Test
    void aFileOfWrongIcrcsOnlyIsNoSuccess(@TempDir Path folder) throws IOException {
        Path wrong = withWrongIcrcs(CAPTURES.resolve("op_atomics.pcap"), folder.resolve("wrong.pcap"));
        CommandRun run = CommandRun.of("conform", wrong.toString());
        assertThat(run.out())
                .contains("   0 the same, 8 bad-icrc")
                .contains("NOT COMPARED: none of its 8 packets of RC, UC and UD could be compared");
        assertThat(run.status()).isEqualTo(1);
        assertThat(CommandRun.of("conform", "--json", wrong.toString()).status())
                .isEqualTo(1);
    }

    /** As where tcpdump was killed. */
    @Test
    void aTruncatedFileIsComparedUpToItsEnd(@TempDir Path folder) throws IOException {
        byte[] bytes = Files.readAllBytes(CAPTURES.resolve("op_atomics.pcap"));
        Path broken = Files.write(folder.resolve("broken.pcap"), Arrays.copyOf(bytes, bytes.length - 30));
        CommandRun run = CommandRun.of("conform", broken.toString());
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("7 packets:")
                .contains("not compared: 1 truncated record at the end of the file: the file ends inside a record");
    }

    @Test
    void aCountOfOneIsWrittenInTheSingular() {
        assertThat(CommandRun.of("conform", CAPTURES.resolve("op_bad_rkey.pcap").toString())
                        .out())
                .contains("\n1 answer, 1 request and 1 completion compared: 3 the same");
    }

    @Test
    void aFileThatIsNoCaptureIsRefusedInOneLine() {
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
