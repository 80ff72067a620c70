// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.nodes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.hcaactors.lab.nodes.HostPort;

/** A JVM that runs seeds of a sweep. */
final class WorkerProcess implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(120);

    private final Process process;

    private WorkerProcess(Process process) {
        this.process = process;
    }

    /** @param arguments the node's name, and the address of the sweep */
    public static void main(String[] arguments) throws SweepRefusedException, InterruptedException {
        new SweepWorker(arguments[0], HostPort.parse(arguments[1]), HostPort.LOOPBACK, 1, LONGEST).run();
    }

    static WorkerProcess start(String name, HostPort sweep) {
        try {
            return new WorkerProcess(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            WorkerProcess.class.getName(),
                            name,
                            sweep.toString())
                    .inheritIO()
                    .start());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Kills the process by a signal that it can't handle. */
    void kill() {
        process.destroyForcibly();
    }

    /** Waits for its end, and returns its exit status. */
    int status() throws InterruptedException {
        return process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    @Override
    public void close() {
        kill();
    }
}
