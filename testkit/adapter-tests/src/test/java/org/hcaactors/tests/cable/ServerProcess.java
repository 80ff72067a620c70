// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A JVM that runs {@link MemoryServer} at 127.0.0.3 for the peer 127.0.0.2. */
final class ServerProcess implements AutoCloseable {
    private static final int LONGEST_END_SECONDS = 30;

    private final Process process;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** Returns when the server accepts connections. */
    static ServerProcess start(int port) {
        try {
            Process started = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            MemoryServer.class.getName(),
                            "3",
                            Integer.toString(port),
                            "2")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader output = started.inputReader();
            assertThat(output.readLine()).isEqualTo(MemoryServer.READY);
            return new ServerProcess(started);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Ends the program's input, waits for its end, and returns its exit status. */
    int exit() throws IOException, InterruptedException {
        process.getOutputStream().close();
        awaitEnd();
        return process.exitValue();
    }

    /** Kills the process by a signal that it can't handle. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    private void awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
