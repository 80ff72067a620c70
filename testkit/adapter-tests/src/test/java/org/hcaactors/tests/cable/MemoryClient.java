// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.cable;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;

/** A connection to a {@link MemoryServer}. */
public final class MemoryClient {
    /** A busy machine delays answers; a lost peer is given up after seconds. */
    private static final RcConnection TERMS = RcConnection.DEFAULT.withTimeout(Duration.ofMillis(130));

    private final Host host;
    public final Connection connection;
    private final RemoteAddress memory;

    private MemoryClient(Host host, Connection connection) {
        this.host = host;
        this.connection = connection;
        ByteBuffer place = connection.privateData();
        memory = new RemoteAddress(place.getInt(), place.getLong());
    }

    static MemoryClient connect(Host host, int serverAddress) {
        return connect(host, Host.loopback(serverAddress));
    }

    static MemoryClient connect(Host host, InetAddress server) {
        return connect(host, new InetSocketAddress(server, MemoryServer.SERVICE));
    }

    public static MemoryClient connect(Host host, InetSocketAddress server) {
        return connect(host, server, TERMS);
    }

    public static MemoryClient connect(Host host, InetSocketAddress server, RcConnection terms) {
        return new MemoryClient(
                host,
                host.await(host.context.connect(
                        server, ConnectionDescription.of(host.domain).withTerms(terms))));
    }

    public Status write(long offset, int bytes) {
        return host.await(
                        connection.qp().submit(RdmaWrite.of(1, host.region.slice(offset, bytes), memory.plus(offset))))
                .status();
    }

    /** Posts a write without waiting; its completion is in the queue pair's completion queue. */
    public void post(long id, int bytes) {
        connection
                .qp()
                .post(RdmaWrite.of(id, host.region.slice(0, bytes), memory).withSignaled());
    }

    Status read(long from, long to, int bytes) {
        return host.await(connection.qp().submit(RdmaRead.of(2, host.region.slice(to, bytes), memory.plus(from))))
                .status();
    }

    /** Returns the value before. */
    long add(long offset, long value) {
        assertThat(host.await(connection
                                .qp()
                                .submit(FetchAdd.of(3, host.region.slice(0, 8), memory.plus(offset), value)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        return host.memory.readLong(0);
    }

    /** Posts that many requests of all three kinds without waiting. */
    public List<CompletionStage<WorkCompletion>> load(int requests, int bytes) {
        RcQueuePair qp = connection.qp();
        List<CompletionStage<WorkCompletion>> load = new ArrayList<>();
        for (int id = 0; id < requests; id++) {
            load.add(
                    switch (id % 3) {
                        case 0 -> qp.submit(RdmaWrite.of(id, host.region.slice(0, bytes), memory));
                        case 1 -> qp.submit(RdmaRead.of(id, host.region.slice(bytes, bytes), memory));
                        default -> qp.submit(FetchAdd.of(id, host.region.slice(0, 8), memory.plus(bytes), 1));
                    });
        }
        return load;
    }

    /** Writes that many bytes and reads them back, and compares. */
    public void roundTrip(int bytes, long seed) {
        byte[] sent = host.fill(0, bytes, seed);
        assertThat(write(0, bytes)).isEqualTo(Status.SUCCESS);
        assertThat(read(0, bytes, bytes)).isEqualTo(Status.SUCCESS);
        assertThat(host.memory.read(bytes, bytes)).isEqualTo(sent);
    }
}
