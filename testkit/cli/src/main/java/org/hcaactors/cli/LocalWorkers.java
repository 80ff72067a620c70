// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hcaactors.judge.nodes.SweepCoordinator;
import org.hcaactors.lab.nodes.ChildJvm;

/**
 * JVMs of this machine that run seeds. If the process of the sweep is killed, they end, too: their cluster then loses the node that hands
 * out the seeds.
 */
record LocalWorkers(List<Process> processes) implements AutoCloseable {
    private static final int LONGEST_END_SECONDS = 10;

    /** Starts JVMs that share the cores of this machine. */
    static LocalWorkers start(int number, SweepCoordinator coordinator, Duration patience) throws BadInputException {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / Math.max(1, number));
        List<String> arguments = new ArrayList<>(List.of("sweep-worker", "--until-sweep-ends"));
        arguments.addAll(List.of("--join", coordinator.address().toString(), "--threads", Integer.toString(threads)));
        arguments.addAll(List.of("--patience", patience.toSeconds() + "s"));
        LocalWorkers workers = new LocalWorkers(new ArrayList<>());
        try {
            for (int i = 1; i <= number; i++) {
                String name = "worker " + i;
                Process process = start(arguments, name);
                process.onExit().thenRun(() -> coordinator.forget(name));
                workers.processes.add(process);
            }
        } catch (IOException refused) {
            workers.close();
            throw new BadInputException("cannot start a JVM: " + refused.getMessage());
        }
        return workers;
    }

    private static Process start(List<String> arguments, String name) throws IOException {
        List<String> named = new ArrayList<>(arguments);
        named.addAll(List.of("--name", name));
        List<String> command = new ArrayList<>(ChildJvm.command(Hca.class, named));
        // Otherwise a signal to all processes of a terminal ends its actor systems before its seeds.
        command.addAll(
                1,
                List.of("-Dpekko.jvm-shutdown-hooks=off", "-Dpekko.coordinated-shutdown.run-by-jvm-shutdown-hook=off"));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Kills them: their results are here, and some may not have joined yet. */
    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        try {
            for (Process process : processes) {
                process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
