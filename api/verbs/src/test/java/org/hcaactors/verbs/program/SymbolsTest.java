// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The symbols of the libraries, which programs of older and newer distributions ask for by their versions. */
class SymbolsTest {
    private static final Path LISTS = Path.of("src/main/c/symbols").toAbsolutePath();

    @TempDir
    private Path folder;

    /** The script prints what is missing, and what is there without being listed. */
    @ParameterizedTest
    @ValueSource(strings = {"libibverbs", "libmlx5"})
    void aLibraryExportsWhatIsListed(String library) throws IOException, InterruptedException {
        Path file = VerbsFolder.path().resolve("lib").resolve(library + ".so.1");
        List<String> command =
                new ArrayList<>(List.of("sh", LISTS.resolve("compare").toString(), file.toString()));
        command.addAll(lists(library));
        assertThat(command).hasSizeGreaterThan(4);
        Process compare = new ProcessBuilder(command).redirectErrorStream(true).start();
        assertThat(new String(compare.getInputStream().readAllBytes())).isEmpty();
        assertThat(compare.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(compare.exitValue()).isZero();
    }

    private static List<String> lists(String library) throws IOException {
        try (Stream<Path> files = Files.list(LISTS)) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith("-" + library + ".txt"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void functionsOfNewerLibrariesAnswerOrRefuse() throws IOException, InterruptedException {
        List<String> command = List.of(OwnPrograms.compiled("newer", folder));
        try (Started program = Started.of(VerbsFolder.address(), Map.of(), command)) {
            assertThat(program.end().assertDone().output()).isEqualTo("newer\n");
        }
    }
}
