// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.Tap;

/** A gateway between two hosts in use: its sockets, and the thread that reads and writes them. Any thread. */
public final class Between implements AutoCloseable {
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private static final long NANOS_OF_A_MILLI = 1_000_000;

    /** Datagrams of one socket that are read before the other one. */
    private static final int MOST_IN_A_ROW = 64;

    private final Map<HostSide, DatagramChannel> sockets = new EnumMap<>(HostSide.class);
    private final BetweenAddresses addresses;
    private final int port;
    private final int mtuBytes;
    private final BetweenCounters counters = new BetweenCounters();
    private final BetweenFabric fabric;
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(UdpCable.MAX_MTU_BYTES);
    private final Selector selector;
    private final AtomicReference<Optional<Throwable>> failure = new AtomicReference<>(Optional.empty());
    private final Thread thread =
            Thread.ofPlatform().daemon().name("hca-between").unstarted(this::run);
    private final long start = System.nanoTime();
    private volatile boolean closed;

    private Between(BetweenAddresses addresses, int port, int mtuBytes, Selector selector) {
        this.addresses = addresses;
        this.port = port;
        this.mtuBytes = mtuBytes;
        this.selector = selector;
        fabric = new BetweenFabric(addresses, port, mtuBytes, counters, this::send, this::failed);
    }

    /**
     * Opens the sockets, and passes packets on from then.
     *
     * @param port UDP port of both hosts and of the gateway
     * @param mtu largest IP packet in bytes; empty for the smallest of the network interfaces
     * @param faults on the packets of both directions
     * @param tap observes them, on the thread of the gateway
     * @throws org.hcaactors.fabric.cable.CableException if a socket cannot be opened
     * @throws IOException if the system refuses a selector
     */
    public static Between open(
            BetweenAddresses addresses, int port, OptionalInt mtu, Interceptor faults, Optional<Tap> tap)
            throws IOException {
        int bytes = mtu.orElseGet(() -> Math.clamp(
                Math.min(BetweenSocket.mtuOf(addresses.gatewayOfA()), BetweenSocket.mtuOf(addresses.gatewayOfB())),
                UdpCable.MIN_MTU_BYTES,
                UdpCable.MAX_MTU_BYTES));
        Between between = new Between(addresses, port, bytes, Selector.open());
        try {
            between.openSockets();
        } catch (IOException | RuntimeException failed) {
            between.closeSockets();
            throw failed;
        }
        between.fabric.intercept(faults);
        tap.ifPresent(between.fabric::tap);
        between.thread.start();
        return between;
    }

    private void openSockets() throws IOException {
        for (HostSide side : HostSide.values()) {
            DatagramChannel socket = BetweenSocket.open(new InetSocketAddress(addresses.gateway(side), port));
            sockets.put(side, socket);
            socket.register(selector, SelectionKey.OP_READ, side);
        }
    }

    /** Returns the largest IP packet in bytes. */
    public int mtuBytes() {
        return mtuBytes;
    }

    /** Returns the number of packets that both hosts sent until now. */
    public long packets() {
        return counters.of(HostSide.A, BetweenCounter.RECEIVED) + counters.of(HostSide.B, BetweenCounter.RECEIVED);
    }

    /** Returns the counters. */
    public BetweenCounters counters() {
        return counters;
    }

    private void failed(Throwable thrown) {
        failure.compareAndSet(Optional.empty(), Optional.of(thrown));
    }

    private long now() {
        return System.nanoTime() - start;
    }

    private void run() {
        try {
            while (!closed) {
                select();
                fabric.advance(now());
                for (HostSide side : HostSide.values()) {
                    read(side);
                }
            }
        } catch (IOException | RuntimeException broken) {
            failed(broken);
        } finally {
            closeSockets();
        }
    }

    /** Waits for datagrams, at most until a delayed packet is due. */
    private void select() throws IOException {
        long deadline = fabric.nextDeadline();
        if (deadline == Long.MAX_VALUE) {
            selector.select();
        } else {
            long millis = Math.ceilDiv(deadline - now(), NANOS_OF_A_MILLI);
            if (millis > 0) {
                selector.select(millis);
            } else {
                selector.selectNow();
            }
        }
        selector.selectedKeys().clear();
    }

    private void read(HostSide side) throws IOException {
        DatagramChannel socket = sockets.get(side);
        for (int i = 0; socket != null && i < MOST_IN_A_ROW; i++) {
            incoming.clear();
            if (!(socket.receive(incoming) instanceof InetSocketAddress from)) {
                return;
            }
            incoming.flip();
            if (fabric.accepts(side, from, incoming.remaining())) {
                byte[] contents = new byte[incoming.remaining()];
                incoming.get(contents);
                fabric.arrived(side, from, contents, now());
            }
        }
    }

    private void send(HostSide to, ByteBuffer datagram) {
        DatagramChannel socket = sockets.get(to);
        boolean sent = false;
        try {
            sent = socket != null && socket.send(datagram, new InetSocketAddress(addresses.host(to), port)) > 0;
        } catch (IOException refused) {
            // Counted as one for which the buffer of the socket has no room.
        }
        counters.count(to, sent ? BetweenCounter.SENT : BetweenCounter.REFUSED);
    }

    private void closeSockets() {
        try {
            for (DatagramChannel each : sockets.values()) {
                each.close();
            }
            selector.close();
        } catch (IOException ignored) {
            // A closed socket has nothing left to lose.
        }
    }

    /** @throws IllegalStateException if packets could not be passed on any more, or not be disturbed */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(LONGEST_END);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        Optional.ofNullable(failure.get()).flatMap(each -> each).ifPresent(thrown -> {
            throw new IllegalStateException("the gateway broke off: " + thrown, thrown);
        });
    }
}
