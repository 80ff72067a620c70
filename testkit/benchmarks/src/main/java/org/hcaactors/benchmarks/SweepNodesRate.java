// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.judge.nodes.NodeSweep;
import org.hcaactors.judge.nodes.SweepCoordinator;
import org.hcaactors.judge.nodes.SweepRefusedException;
import org.hcaactors.judge.nodes.SweepWorker;
import org.hcaactors.judge.sweep.Sweep;
import org.hcaactors.lab.nodes.HostPort;
import org.hcaactors.lab.nodes.NodesProgress;

/** Seeds per second of a sweep over nodes on this machine, and per second of their CPU time, which other load affects less. */
final class SweepNodesRate {
    private static final long WARMING_SECONDS = 15;
    private static final long MEASURED_SECONDS = 15;
    private static final Duration LONGEST = Duration.ofSeconds(120);
    private static final int MORE_THAN_RUN = 1_000_000;

    private SweepNodesRate() {}

    /** Main class of the nodes. */
    static final class Node {
        private Node() {}

        /** @param arguments address of the sweep, and the number of threads */
        public static void main(String[] arguments) throws SweepRefusedException, InterruptedException {
            new SweepWorker(
                            "",
                            HostPort.parse(arguments[0]),
                            HostPort.LOOPBACK,
                            Integer.parseInt(arguments[1]),
                            LONGEST)
                    .run();
        }
    }

    static void print() throws InterruptedException {
        for (int nodes = 1; nodes <= 3; nodes++) {
            measure(nodes, 1);
        }
        measure(1, 2);
    }

    private static void measure(int nodes, int threads) throws InterruptedException {
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger present = new AtomicInteger();
        AtomicBoolean stop = new AtomicBoolean();
        NodeSweep sweep = new NodeSweep(Sweep.of(MORE_THAN_RUN), 0, Duration.ZERO, LONGEST, NodeSweep.DEFAULT_SILENCE);
        List<Process> processes = new ArrayList<>();
        try (SweepCoordinator coordinator = SweepCoordinator.start(
                HostPort.LOOPBACK,
                sweep,
                progress -> {
                    ended.set(progress.ended());
                    present.set(busy(progress));
                },
                stop::get)) {
            for (int i = 0; i < nodes; i++) {
                processes.add(start(coordinator.address(), threads));
            }
            while (present.get() < nodes) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            TimeUnit.SECONDS.sleep(WARMING_SECONDS);
            long cpu = cpuNanos(processes);
            long began = System.nanoTime();
            int before = ended.get();
            TimeUnit.SECONDS.sleep(MEASURED_SECONDS);
            int seeds = ended.get() - before;
            System.out.printf(
                    "sweep over %d nodes of %d threads: %.1f seeds a second, %.1f a second of CPU time%n",
                    nodes,
                    threads,
                    1e9 * seeds / (System.nanoTime() - began),
                    1e9 * seeds / (cpuNanos(processes) - cpu));
            stop.set(true);
            coordinator.report();
        } catch (SweepRefusedException refused) {
            throw new IllegalStateException(refused);
        } finally {
            for (Process process : processes) {
                process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS);
                process.destroyForcibly();
            }
        }
    }

    /** Returns the number of nodes that have run seeds. */
    private static int busy(NodesProgress progress) {
        return (int) progress.nodes().stream().filter(node -> node.ended() > 0).count();
    }

    private static Process start(HostPort sweep, int threads) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Node.class.getName()));
        command.addAll(List.of(sweep.toString(), Integer.toString(threads)));
        try {
            return new ProcessBuilder(command).inheritIO().start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static long cpuNanos(List<Process> processes) {
        return processes.stream()
                .mapToLong(process ->
                        process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
                .sum();
    }
}
