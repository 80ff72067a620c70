// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.hcaactors.views.report.FailedRun;
import org.hcaactors.views.report.FailedTest;
import org.hcaactors.views.report.FailedTest.Fact;
import org.hcaactors.views.report.Report;

/**
 * The report of a failed test.
 *
 * @param small its minimal run
 * @param whole the original run
 */
record FailedReport(Recording small, Recording whole) {
    static final String ASSERTION = "[stored]\nexpected: SUCCESS\n but was: RNR_RETRY_EXC_ERR";
    static final String REPLAY = "mvn test -Dtest=StoreTest#answersInTime -Drdma.seed=7";

    private static final FailedTest TEST = new FailedTest(
            "StoreTest.answersInTime",
            ASSERTION,
            "StoreTest(StoreTest.java:33), seed 7",
            REPLAY,
            List.of(
                    new Fact("injected", "31 times (drop 28, delay 3)"),
                    new Fact("minimal", "0 faults of 31 (12 runs), tasks in order: no faults"),
                    new Fact("test", "target/rdma/StoreTest.answersInTime/seed-7/shrunk.java.txt"),
                    new Fact("event", "26.054 us a: qp17 completes 1: RNR_RETRY_EXC_ERR")),
            List.of("ladder.txt", "packets.pcapng", "trace.rlog"));

    static FailedReport ofGallery(String small, String whole) {
        return new FailedReport(Recording.ofGallery(small), Recording.ofGallery(whole));
    }

    private static FailedRun run(String name, Recording run) {
        return new FailedRun(name, run.header(), run.events(), 0, OptionalLong.empty());
    }

    Path file() {
        try {
            Path folder = Files.createDirectories(Path.of("target/reports"));
            String html = Report.ofFailure(TEST, List.of(run("minimal", small), run("whole", whole)));
            return Files.writeString(folder.resolve("failed.html"), html).toAbsolutePath();
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
