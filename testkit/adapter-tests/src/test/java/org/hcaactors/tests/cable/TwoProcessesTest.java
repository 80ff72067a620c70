// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.completion.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two JVMs, joined by UDP on loopback addresses. */
class TwoProcessesTest {
    private static final int MIB = 1 << 20;

    private final int port = Host.freePort();
    private final Host client = Host.behind(Host.cable(2, port, 3));
    private Process server = start();

    private Process start() {
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
            return started;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        client.close();
        server.destroyForcibly();
        assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void dataAndAtomicsCrossFromOneProcessToAnother() {
        MemoryClient memory = MemoryClient.connect(client, 3);
        memory.roundTrip(MIB, 1);
        long before = memory.add(8, 5);
        assertThat(memory.add(8, 1)).isEqualTo(before + 5);
    }

    @Test
    void aProcessEndsWhenItsInputEnds() throws IOException, InterruptedException {
        MemoryClient memory = MemoryClient.connect(client, 3);
        memory.roundTrip(1024, 2);
        server.getOutputStream().close();
        assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isZero();
        // The end of a process closes its connections, which tells the peer.
        client.await(memory.connection.ended());
    }

    // rule rc-retry-count
    @Test
    void requestsToAKilledProcessFailAndItsSuccessorServes() throws InterruptedException {
        MemoryClient before = MemoryClient.connect(client, 3);
        before.roundTrip(1024, 3);
        server.destroyForcibly();
        assertThat(server.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(before.write(0, 1024)).isEqualTo(Status.RETRY_EXC_ERR);
        server = start();
        MemoryClient after = MemoryClient.connect(client, 3);
        after.roundTrip(MIB, 4);
        assertThat(before.write(0, 1024)).isEqualTo(Status.WR_FLUSH_ERR);
    }
}
