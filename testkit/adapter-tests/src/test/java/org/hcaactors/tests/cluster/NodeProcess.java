// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.hcaactors.tests.cable.MemoryServer;

/** A JVM with a node whose memory every client may read and write. */
final class NodeProcess implements AutoCloseable {
    private static final int LONGEST_END_SECONDS = 60;

    private final Process process;

    private NodeProcess(Process process) {
        this.process = process;
    }

    /** @param arguments name of the node, its port, address of a node to join */
    public static void main(String[] arguments) throws IOException {
        try (Node node = Node.start(arguments[0], Integer.parseInt(arguments[1]), arguments[2])) {
            MemoryServer.serve(node.host);
            System.out.println(MemoryServer.READY);
            while (System.in.read() >= 0) {
                // Input has no meaning but its end.
            }
        }
    }

    /** Returns when the node has joined and accepts connections. */
    static NodeProcess start(String name, int port, String seed) {
        try {
            Process started = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            NodeProcess.class.getName(),
                            name,
                            Integer.toString(port),
                            seed)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            BufferedReader output = started.inputReader();
            assertThat(output.readLine()).isEqualTo(MemoryServer.READY);
            return new NodeProcess(started);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Ends the node in order, and waits for its end. */
    void leave() throws IOException, InterruptedException {
        process.getOutputStream().close();
        awaitEnd();
        assertThat(process.exitValue()).isZero();
    }

    /** Kills the process by a signal that it can't handle. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Stops the process, until {@link #goOn}. */
    void standStill() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void goOn() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    private void awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
