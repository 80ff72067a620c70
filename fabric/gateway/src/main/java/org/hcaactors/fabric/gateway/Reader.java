// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;

/** Reads the sockets and hands their packets to the fabric, in batches of one queue pair. Runs on a thread of its own. */
final class Reader implements Runnable, AutoCloseable {
    /** Datagrams that are read from one socket before others, and before their packets enter the fabric. */
    private static final int MAX_AT_ONCE = 256;

    private final Selector selector;
    private final DatagramReader intake;
    private final Responses responses;
    private final Credits credits;
    private final CableCounters counters;
    private final Endpoint border;
    private final FabricReference fabric;
    private final LongSupplier clock;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final List<Packet> batch = new ArrayList<>(Switchboard.MAX_BATCH);
    /** Credits that are taken and not used. */
    private int room;

    Reader(
            Map<PortAddress, DatagramChannel> sockets,
            DatagramReader intake,
            Responses responses,
            Credits credits,
            CableCounters counters,
            Endpoint border,
            FabricReference fabric,
            LongSupplier clock) {
        this.intake = intake;
        this.responses = responses;
        this.credits = credits;
        this.counters = counters;
        this.border = border;
        this.fabric = fabric;
        this.clock = clock;
        selector = watching(sockets);
    }

    private static Selector watching(Map<PortAddress, DatagramChannel> sockets) {
        try {
            Selector made = Selector.open();
            for (Map.Entry<PortAddress, DatagramChannel> socket : sockets.entrySet()) {
                socket.getValue().register(made, SelectionKey.OP_READ, socket.getKey());
            }
            return made;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Ends when the sockets are closed or the thread is interrupted. */
    @Override
    public void run() {
        try {
            while (!Thread.interrupted()) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    readSome((DatagramChannel) key.channel(), (PortAddress) key.attachment());
                }
                selector.selectedKeys().clear();
            }
        } catch (ClosedChannelException | ClosedSelectorException | InterruptedException closed) {
            // The gateway is being closed.
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Releases the ports of closed sockets. */
    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void readSome(DatagramChannel socket, PortAddress to) throws IOException, InterruptedException {
        try {
            boolean more = true;
            for (int i = 0; more && i < MAX_AT_ONCE; i++) {
                if (room == 0) {
                    room = credits.takeAll();
                }
                more = readOne(socket, to);
            }
        } finally {
            send();
            credits.giveBack(room);
            room = 0;
        }
    }

    /** False if there is no datagram. */
    private boolean readOne(DatagramChannel socket, PortAddress to) throws IOException {
        buffer.clear();
        InetSocketAddress from = (InetSocketAddress) socket.receive(buffer);
        if (from == null) {
            return false;
        }
        buffer.flip();
        if (intake.accepts(from, buffer.remaining())) {
            byte[] contents = new byte[buffer.remaining()];
            buffer.get(contents);
            enter(intake.read(from, to, contents, clock.getAsLong()));
        }
        return true;
    }

    private void enter(Received received) {
        switch (received) {
            case Received.Whole(var packet) -> {
                responses.arrived(packet);
                if (!batch.isEmpty() && !isOnTheWayOf(batch.getFirst(), packet)) {
                    send();
                }
                batch.add(packet);
                room--;
                if (batch.size() == Switchboard.MAX_BATCH || room == 0) {
                    send();
                }
            }
            case Received.Damaged(var packet, var frame) -> {
                send();
                room--;
                fabric.tell(new FabricActor.EnterDamaged(border, packet, frame));
            }
            case Received.Refused refused -> {}
        }
    }

    private static boolean isOnTheWayOf(Packet first, Packet next) {
        return first.route() == next.route()
                && first.bth().destQp() == next.bth().destQp();
    }

    private void send() {
        if (!batch.isEmpty()) {
            Packet[] packets = batch.toArray(Packet[]::new);
            batch.clear();
            room += packets.length - fabric.send(border, packets);
            counters.add(CableCounter.RECEIVED, packets.length);
        }
    }
}
