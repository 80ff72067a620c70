// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rdma-core's tests on the modelled adapter: each has the result and the reason of a list, which {@code -Dlist.write=true} writes
 * again. {@code -Dsuite.module=test_cq} runs one module.
 */
class RdmaCoreTest {
    private static final String VERSION = "44.";

    /** A reason of a skip that depends on the machine. */
    private static final String HUGE_PAGES = "There are no huge pages";

    private static final Path LIST = Path.of("src/test/resources/rdma-core-44.txt");

    @TempDir
    private Path folder;

    private static List<String> expected(String module) throws IOException {
        try (var lines = Files.lines(LIST)) {
            return lines.filter(line -> !line.startsWith("#"))
                    .filter(line -> module.isEmpty() || line.split("\t")[1].startsWith(module + "."))
                    .toList();
        }
    }

    private static Set<String> skippedForHugePages(List<String> expected) {
        return expected.stream()
                .filter(line -> line.contains(HUGE_PAGES))
                .map(line -> line.split("\t")[1])
                .collect(Collectors.toSet());
    }

    /** Leaves out the tests whose result depends on the machine's huge pages. */
    private static List<String> ofAnyMachine(List<String> lines, Set<String> dependent) {
        return lines.stream()
                .filter(line -> !dependent.contains(line.split("\t")[1]))
                .toList();
    }

    @Test
    @Tag("judge")
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    void everyTestHasTheResultOfTheList() throws IOException, InterruptedException {
        assumeTrue(
                Files.isDirectory(RdmaCoreSuite.OF_THE_PACKAGE),
                "left out: rdma-core's tests are missing; install the package python3-pyverbs");
        String version = RdmaCoreSuite.version();
        assumeTrue(
                version.startsWith(VERSION), "left out: the list is of rdma-core 44, and " + version + " is installed");
        String module = System.getProperty("suite.module", "");
        RdmaCoreSuite suite = RdmaCoreSuite.unpacked(folder);
        List<String> found = suite.runAll(module.isEmpty() ? suite.modules() : List.of(module));
        if (Boolean.getBoolean("list.write") && module.isEmpty()) {
            List<String> written = new ArrayList<>(List.of(
                    "# The tests of rdma-core 44 (Debian 12) with --dev hca0 --gid 0: result, name, reason.",
                    "# RdmaCoreTest compares them, and writes them with -Dlist.write=true."));
            written.addAll(found);
            Files.write(LIST, written);
        }
        assertThat(found).noneMatch(line -> line.startsWith("fail"));
        assertThat(ofAnyMachine(found, skippedForHugePages(expected(module))))
                .containsExactlyElementsOf(ofAnyMachine(expected(module), skippedForHugePages(expected(module))));
    }
}
