// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.hcaactors.api.completion.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two JVMs, joined by UDP on loopback addresses. */
class TwoProcessesTest {
    private static final int MIB = 1 << 20;

    private final int port = Host.freePort();
    private final Host client = Host.behind(Host.cable(2, port, 3));
    private ReadyProcess server = MemoryServer.process(port);

    @AfterEach
    void close() throws InterruptedException {
        client.close();
        server.close();
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
        assertThat(server.exit()).isZero();
        // The end of a process closes its connections, which tells the peer.
        client.await(memory.connection.ended());
    }

    // rule rc-retry-count
    @Test
    void requestsToAKilledProcessFailAndItsSuccessorServes() throws InterruptedException {
        MemoryClient before = MemoryClient.connect(client, 3);
        before.roundTrip(1024, 3);
        server.kill();
        assertThat(before.write(0, 1024)).isEqualTo(Status.RETRY_EXC_ERR);
        server = MemoryServer.process(port);
        MemoryClient after = MemoryClient.connect(client, 3);
        after.roundTrip(MIB, 4);
        assertThat(before.write(0, 1024)).isEqualTo(Status.WR_FLUSH_ERR);
    }
}
