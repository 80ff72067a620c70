// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rdma-core's tests on the modelled adapter: each has the result and the reason of a list, which {@code -Dlist.write=true} writes
 * again. {@code -Dsuite.module=test_cq} runs one module.
 */
class RdmaCoreTest {
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

    @Test
    @Tag("judge")
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    void everyTestHasTheResultOfTheList() throws IOException, InterruptedException {
        assumeTrue(
                Files.isDirectory(RdmaCoreSuite.OF_THE_PACKAGE),
                "left out: rdma-core's tests are missing; install the package python3-pyverbs");
        String module = System.getProperty("suite.module", "");
        RdmaCoreSuite suite = RdmaCoreSuite.unpacked(folder);
        List<String> found = new ArrayList<>();
        for (String each : module.isEmpty() ? suite.modules() : List.of(module)) {
            suite.run(each).stream().sorted().forEach(found::add);
        }
        if (Boolean.getBoolean("list.write") && module.isEmpty()) {
            List<String> written = new ArrayList<>(List.of(
                    "# The tests of rdma-core 44 (Debian 12) with --dev hca0 --gid 0: result, name, reason.",
                    "# RdmaCoreTest compares them, and writes them with -Dlist.write=true."));
            written.addAll(found);
            Files.write(LIST, written);
        }
        assertThat(found).noneMatch(line -> line.startsWith("fail"));
        assertThat(found).containsExactlyElementsOf(expected(module));
    }
}
