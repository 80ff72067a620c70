// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Open MPI and MPICH, whose processes have an adapter each: over UCX, and over the reliable datagrams of libfabric. */
@Tag("nightly")
class MpiTest {
    private static final String RC = "rc_v";
    private static final String UD = "ud_v";

    private static final Path SOURCES = Path.of("src/test").toAbsolutePath();

    /** Debian's Python, which finds mpi4py. */
    private static final String PYTHON = "/usr/bin/python3";

    /** Of three processes, each adding its number to 20,000 words in 20 rounds. */
    private static final String SUMS = "3 processes: ring 2400000, allreduce 600030000";

    private static final String ALL_RIGHT = SUMS + ", one-sided right in 3\n";
    private static final String RIGHT_WITHOUT_WINDOWS = SUMS + ", one-sided right in 0\n";
    private static final String WITHOUT_WINDOWS = "two-sided";

    /** Each process passes on 20 times 80,000 bytes, in packets of at most 4096. */
    private static final int MIN_PACKETS = 20 * 80_000 / 4096;

    @TempDir
    private Path folder;

    private MpiRun openMpi() {
        VerbsFolder.require("mpirun.openmpi", "openmpi-bin");
        return new MpiRun("mpirun.openmpi", folder);
    }

    private MpiRun mpich() {
        VerbsFolder.require("mpirun.mpich", "mpich");
        return new MpiRun("mpirun.mpich", folder);
    }

    private static MpiRun overUcx(MpiRun run, String transport) {
        return run.with(Map.of(
                "UCX_TLS", transport + ",self",
                "OMPI_MCA_pml", "ucx",
                "OMPI_MCA_osc", "ucx",
                "OMPI_MCA_btl", "self"));
    }

    private String ring(String compiler, String debianPackage) throws IOException, InterruptedException {
        VerbsFolder.require(compiler, debianPackage);
        String program = folder.resolve("ring").toString();
        String source = SOURCES.resolve("c/ring.c").toString();
        Process started = new ProcessBuilder(compiler, "-O2", "-Wall", "-o", program, source)
                .inheritIO()
                .start();
        assertThat(started.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(started.exitValue()).isZero();
        return program;
    }

    private static void assertRight(MpiRun run, double loss, String expected, String... command)
            throws IOException, InterruptedException {
        MpiRun.Done done = run.losing(loss).end(List.of(command));
        assertThat(done.output()).endsWith(expected);
        assertThat(done.sent()).hasSize(MpiRun.PROCESSES).allMatch(packets -> packets > MIN_PACKETS);
        if (loss > 0) {
            assertThat(done.dropped()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01})
    void openMpiPassesMessagesAndPutsOverRc(double loss) throws IOException, InterruptedException {
        assertRight(overUcx(openMpi(), RC), loss, ALL_RIGHT, ring("mpicc.openmpi", "libopenmpi-dev"));
    }

    /** Without windows: Open MPI ends theirs without a barrier, so that one waits for the last ACK of a process that is gone. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01})
    void openMpiPassesMessagesOverUd(double loss) throws IOException, InterruptedException {
        String program = ring("mpicc.openmpi", "libopenmpi-dev");
        assertRight(overUcx(openMpi(), UD), loss, RIGHT_WITHOUT_WINDOWS, program, WITHOUT_WINDOWS);
    }

    /** Without windows: libfabric's datagrams crash then, with three processes and over any provider. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01})
    void openMpiPassesMessagesOverLibfabric(double loss) throws IOException, InterruptedException {
        MpiRun run = openMpi()
                .with(Map.of(
                        "OMPI_MCA_pml", "cm",
                        "OMPI_MCA_mtl", "ofi",
                        "OMPI_MCA_mtl_ofi_provider_include", "verbs;ofi_rxd",
                        "OMPI_MCA_btl", "self"));
        String program = ring("mpicc.openmpi", "libopenmpi-dev");
        assertRight(run, loss, RIGHT_WITHOUT_WINDOWS, program, WITHOUT_WINDOWS);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01})
    void mpichPassesMessagesAndPutsOverRc(double loss) throws IOException, InterruptedException {
        assertRight(overUcx(mpich(), RC), loss, ALL_RIGHT, ring("mpicc.mpich", "libmpich-dev"));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01})
    void mpichPassesMessagesAndPutsOverUd(double loss) throws IOException, InterruptedException {
        assertRight(overUcx(mpich(), UD), loss, ALL_RIGHT, ring("mpicc.mpich", "libmpich-dev"));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.01})
    void mpi4pyPassesListsAndArrays(double loss) throws IOException, InterruptedException {
        try (Stream<Path> found = Files.find(
                Path.of("/usr/lib/python3/dist-packages"), 1, (path, attributes) -> path.endsWith("mpi4py"))) {
            assumeTrue(found.findAny().isPresent(), "left out: mpi4py is missing; install the package python3-mpi4py");
        }
        String program = SOURCES.resolve("python/ring.py").toString();
        String expected = "3 processes: lists of [998, 1000, 999], allreduce 1200000\n";
        assertRight(overUcx(openMpi(), RC), loss, expected, PYTHON, program);
    }
}
