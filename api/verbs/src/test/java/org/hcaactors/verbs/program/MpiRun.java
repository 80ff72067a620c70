// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program of MPI on this machine, by {@code mpirun}.
 *
 * @param starter Open MPI's {@code mpirun}, or MPICH's
 * @param folder where it may write
 * @param environment of all processes, beyond those of an adapter
 */
record MpiRun(String starter, Path folder, Map<String, String> environment) {
    static final int PROCESSES = 3;

    /** Processes that poll take the processors from the adapters of the others: of a faster clock the timeouts are too short. */
    private static final int SLOWER = 32;

    /** Each process has the address of its rank. */
    private static final String AT_ITS_ADDRESS =
            "export HCA_VERBS_ADDRESS=%s$((%d + ${OMPI_COMM_WORLD_RANK:-$PMI_RANK})); exec \"$@\"";

    private static final Pattern SENT = Pattern.compile("(?m)^tx_packets (\\d+)$");
    private static final Pattern DROPPED = Pattern.compile("(?m)^fault drop .*: (\\d+) packets?$");

    MpiRun(String starter, Path folder) {
        this(starter, folder, Map.of());
    }

    MpiRun with(Map<String, String> additional) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(additional);
        return new MpiRun(starter, folder, Map.copyOf(all));
    }

    /** UCX's own timeout of RC is 1 s, which is too long for the clock of an adapter that is slower. */
    MpiRun losing(double probability) throws IOException {
        if (probability == 0) {
            return this;
        }
        String faults = "{ drop { probability = " + probability + " } }";
        return with(PlanFile.environment(folder, faults, SLOWER)).with(Map.of("UCX_RC_TIMEOUT", "10ms"));
    }

    /** Runs it to its end, which is a success. */
    Done end(List<String> program) throws IOException, InterruptedException {
        Path reports = folder.resolve("reports");
        String first = VerbsFolder.addresses(PROCESSES);
        int dot = first.lastIndexOf('.') + 1;
        String network = first.substring(0, dot);
        int host = Integer.parseInt(first.substring(dot));
        List<String> command = new ArrayList<>(List.of(starter, "-n", Integer.toString(PROCESSES), "sh", "-c"));
        command.addAll(List.of(AT_ITS_ADDRESS.formatted(network, host), "sh"));
        command.addAll(program);
        String peers = IntStream.range(0, PROCESSES)
                .mapToObj(rank -> network + (host + rank) + "=rank" + rank)
                .collect(Collectors.joining(","));
        MpiRun whole =
                with(ofEveryRun()).with(Map.of("HCA_VERBS_PEERS", peers, "HCA_VERBS_REPORT", reports.toString()));
        try (Started started = Started.of(first, whole.environment, command)) {
            String output = started.end().assertDone().output();
            return new Done(output, texts(reports));
        }
    }

    /**
     * UCX sets handlers of signals, and is opened after libfabric, which has opened the adapter: so the verbs library comes first.
     * Neither {@code mpirun} wants more than loopback.
     */
    private static Map<String, String> ofEveryRun() {
        Path library = VerbsFolder.path().resolve("lib");
        return Map.of(
                "LD_PRELOAD", library.resolve("libibverbs.so.1") + " " + library.resolve("libhca-device-file.so"),
                "UCX_WARN_UNUSED_ENV_VARS", "n",
                "OMPI_ALLOW_RUN_AS_ROOT", "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
                "OMPI_MCA_rmaps_base_oversubscribe", "1",
                "OMPI_MCA_oob_tcp_if_include", "lo",
                "HYDRA_IFACE", "lo");
    }

    private static List<String> texts(Path reports) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.list(reports)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".txt")).toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    /**
     * Output of a run that has ended.
     *
     * @param reports of its processes
     */
    record Done(String output, List<String> reports) {
        /** Returns how many packets each adapter sent. */
        List<Long> sent() {
            return reports.stream().map(report -> sum(SENT, report)).toList();
        }

        /** Returns how many packets the fault struck. */
        long dropped() {
            return reports.stream().mapToLong(report -> sum(DROPPED, report)).sum();
        }

        private static long sum(Pattern pattern, String report) {
            List<MatchResult> found = pattern.matcher(report).results().toList();
            assertThat(found).as(report).hasSizeLessThan(2);
            return found.stream()
                    .mapToLong(match -> Long.parseLong(match.group(1)))
                    .sum();
        }
    }
}
