// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;

/** The end that sends, connected to an {@link RdmaServer}. One thread. */
final class RdmaClient implements AutoCloseable {
    private static final int SMALL = 64;

    /** Requests that are posted together, the last of them signaled. */
    static final int BATCH = BareServer.GROUP;

    /** Batches in progress. */
    static final int BATCHES = 8;

    /** Large requests in progress. */
    static final int LARGE_REQUESTS = 4;

    /** Sends between two signaled ones of a ping-pong. */
    private static final int SIGNALED = 32;

    private final RdmaHost host;
    private final InetSocketAddress server;
    private final RcQueuePair sink;
    private final RcQueuePair echo;
    private final RemoteAddress there;
    private final UdQueuePair datagrams;
    private final UdAddress peer;
    private volatile Batches running = new Batches(0, () -> {});

    /**
     * Connects.
     *
     * @param server address of the server's adapter, and {@link RdmaHost#SERVICE}
     */
    RdmaClient(RdmaHost host, InetSocketAddress server) {
        this.host = host;
        this.server = server;
        LongConsumer ended = id -> running.ended();
        CompletionQueue answers = host.queue(this::answered);
        datagrams = host.datagrams(host.queue(id -> {}), answers);
        for (int i = 0; i < RdmaHost.SLOTS; i++) {
            datagrams.postReceive(receive(i));
        }
        Connection first = connected(RdmaServer.SINK, host.queue(ended), host.queue(id -> {}));
        Connection second = connected(RdmaServer.ECHO, host.queue(id -> {}), host.queue(this::echoed));
        ByteBuffer data = first.privateData();
        there = new RemoteAddress(data.getInt(), data.getLong());
        AddressHandle path = host.network.await(
                host.side.domain().createAddressHandle(AddressVector.to(Gid.of(server.getAddress()))));
        peer = UdAddress.of(path, data.getInt(), RdmaHost.QKEY);
        sink = first.qp();
        echo = second.qp();
    }

    private Connection connected(int kind, CompletionQueue sent, CompletionQueue received) {
        ByteBuffer data = ByteBuffer.allocate(2 * Integer.BYTES)
                .putInt(kind)
                .putInt(datagrams.number())
                .flip();
        return host.network.await(host.side
                .context()
                .connect(
                        server,
                        ConnectionDescription.of(host.side.domain())
                                .withQp(QpDescription.rc()
                                        .withCapacity(RdmaHost.capacity())
                                        .withSendCq(sent)
                                        .withRecvCq(received))
                                .withTerms(RdmaHost.TERMS)
                                .withPrivateData(data)
                                .withPrepared(qp -> {
                                    for (int i = 0; i < BATCH; i++) {
                                        qp.postReceive(receive(i));
                                    }
                                })));
    }

    private Receive receive(long id) {
        return Receive.of(id, host.slice(RdmaHost.LARGE));
    }

    private void answered(long id) {
        datagrams.postReceive(receive(id));
        running.ended();
    }

    private void echoed(long id) {
        echo.postReceive(receive(id));
        running.ended();
    }

    /** Sends messages of 64 bytes in batches. */
    void messages(long count) throws InterruptedException {
        Send plain = Send.of(1, host.slice(SMALL));
        inBatches(count, () -> post(sink, plain, plain.withSignaled()));
    }

    private static void post(RcQueuePair qp, Send plain, Send last) {
        for (int i = 1; i < BATCH; i++) {
            qp.post(plain);
        }
        qp.post(last);
    }

    /** Sends datagrams of 64 bytes in batches; the server answers each batch. */
    void datagrams(long count) throws InterruptedException {
        Send plain = Send.of(1, host.slice(SMALL));
        Send last = plain.withSignaled();
        inBatches(count, () -> {
            for (int i = 1; i < BATCH; i++) {
                datagrams.post(peer, plain);
            }
            datagrams.post(peer, last);
        });
    }

    private void inBatches(long count, Runnable post) throws InterruptedException {
        run(new Batches(BATCHES, post), count / BATCH);
    }

    private void run(Batches batches, long count) throws InterruptedException {
        running = batches;
        batches.run(count);
    }

    /** Writes 1 MiB so many times. */
    void writes(long count) throws InterruptedException {
        large(RdmaWrite.of(1, host.slice(RdmaHost.LARGE), there).withSignaled(), count);
    }

    /** Reads 1 MiB so many times. */
    void reads(long count) throws InterruptedException {
        large(RdmaRead.of(1, host.slice(RdmaHost.LARGE), there).withSignaled(), count);
    }

    /** Sends messages of 1 MiB. */
    void largeMessages(long count) throws InterruptedException {
        large(Send.of(1, host.slice(RdmaHost.LARGE)).withSignaled(), count);
    }

    private void large(RcWork request, long count) throws InterruptedException {
        run(new Batches(LARGE_REQUESTS, () -> sink.post(request)), count);
    }

    /** Sends a message of 64 bytes and waits until it came back, so many times. */
    void pingPong(long count) throws InterruptedException {
        Send plain = Send.of(1, host.slice(SMALL));
        Send signaled = plain.withSignaled();
        int[] sent = new int[1];
        run(new Batches(1, () -> echo.post(++sent[0] % SIGNALED == 0 ? signaled : plain)), count);
    }

    /** Returns the counters of the cable. */
    java.util.Map<String, Long> counters() {
        return host.network.cableCounters();
    }

    @Override
    public void close() {
        host.close();
    }
}
