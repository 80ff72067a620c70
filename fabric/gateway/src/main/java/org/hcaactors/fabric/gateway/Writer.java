// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.cable.UdpCable;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.DatagramEncoder;
import org.hcaactors.fabric.wire.UdpPorts;

/** Sends packets by the sockets, each peer's at its pace. Runs on a thread of its own. */
final class Writer implements Runnable {
    /** Packets that leave before further ones are taken from the outbox. */
    private static final int TURN = 64;

    /** Items of the outbox that are taken before packets leave. */
    private static final int MAX_TAKEN = 256;

    private final UdpSockets sockets;
    private final Outbox outbox;
    private final PeerQueues queues;
    private final Losses losses;
    private final CableCounters counters;
    private final LongSupplier clock;
    private final UdpPorts ports;
    private final Map<PortAddress, InetSocketAddress> peers = new LinkedHashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private boolean ended;

    Writer(
            UdpCable cable,
            UdpSockets sockets,
            Map<PortAddress, PeerWindow> windows,
            Outbox outbox,
            Losses losses,
            LongSupplier clock) {
        this.sockets = sockets;
        this.outbox = outbox;
        this.losses = losses;
        this.counters = losses.counters();
        this.clock = clock;
        ports = new UdpPorts(cable.port(), cable.port());
        for (InetAddress peer : cable.peers()) {
            peers.put(Addresses.of(peer), new InetSocketAddress(peer, cable.port()));
        }
        queues = new PeerQueues(windows, cable.limits());
    }

    /** Ends when everything before the end of the outbox has left, or the sockets are closed. */
    @Override
    public void run() {
        try {
            while (!ended) {
                take();
                sendSome();
            }
            for (var last = queues.pollUnlimited(); last.isPresent(); last = queues.pollUnlimited()) {
                send(last.get());
            }
        } catch (ClosedChannelException | InterruptedException closed) {
            // The gateway is being closed.
        }
    }

    /** Takes what is in the outbox; waits for it if no packet can leave now. */
    private void take() throws InterruptedException {
        long now = clock.getAsLong();
        long departure = queues.nextDeparture(now);
        long wait = departure == Long.MAX_VALUE ? departure : departure - now;
        Optional<Outbox.Item> item = outbox.take(wait);
        for (int i = 0; item.isPresent(); i++) {
            switch (item.get()) {
                case Outbox.Batch(var packets) -> packets.forEach(this::queue);
                case Outbox.Note note -> ended = note == Outbox.Note.END;
            }
            item = ended || i == MAX_TAKEN ? Optional.empty() : outbox.take(0);
        }
    }

    private void queue(Outgoing packet) {
        outbox.done();
        switch (queues.add(packet)) {
            case QUEUED -> {}
            case NO_PEER -> lost(packet, CableCounter.NO_PEER, "no peer of the cable has that address");
            case FULL -> lost(packet, CableCounter.QUEUE_FULL, "too many packets wait for the peer");
        }
    }

    private void lost(Outgoing packet, CableCounter counter, String reason) {
        losses.lost(packet, counter, reason);
    }

    private void sendSome() throws ClosedChannelException, InterruptedException {
        long now = clock.getAsLong();
        for (int i = 0; i < TURN; i++) {
            Optional<Outgoing> next = queues.poll(now);
            if (next.isEmpty()) {
                return;
            }
            send(next.get());
        }
    }

    private void send(Outgoing leaving) throws ClosedChannelException, InterruptedException {
        Route route = leaving.packet().route();
        Optional<DatagramChannel> socket = sockets.at(route.source());
        Optional<InetSocketAddress> to = Optional.ofNullable(peers.get(route.destination()));
        if (socket.isEmpty() || to.isEmpty()) {
            lost(leaving, CableCounter.NO_SOCKET, "the cable does not have the packet's source address");
        } else {
            send(leaving, socket.get(), to.get());
        }
    }

    private void send(Outgoing leaving, DatagramChannel socket, InetSocketAddress to)
            throws ClosedChannelException, InterruptedException {
        try {
            encode(leaving);
            write(socket, to);
            counters.count(CableCounter.SENT);
        } catch (ClosedChannelException closed) {
            throw closed;
        } catch (IOException | RuntimeException refused) {
            lost(leaving, CableCounter.REFUSED, "the socket refused it: " + refused.getMessage());
        }
    }

    private void encode(Outgoing leaving) {
        buffer.clear();
        leaving.damagedFrame()
                .ifPresentOrElse(
                        frame -> DatagramEncoder.encodeDamaged(leaving.packet(), frame, ports, buffer),
                        () -> DatagramEncoder.encode(leaving.packet(), ports, buffer));
        buffer.flip();
    }

    private void write(DatagramChannel socket, InetSocketAddress to) throws IOException, InterruptedException {
        while (socket.send(buffer, to) == 0) {
            awaitWritable(socket);
        }
    }

    /** The socket's buffer is full. */
    private static void awaitWritable(DatagramChannel socket) throws IOException, InterruptedException {
        try (Selector selector = Selector.open()) {
            socket.register(selector, SelectionKey.OP_WRITE);
            selector.select();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
