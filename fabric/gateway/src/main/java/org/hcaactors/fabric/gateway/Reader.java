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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Switchboard;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.uplink.Polling;
import org.hcaactors.fabric.uplink.UplinkCounters;

/**
 * Reads the sockets and hands their packets to the fabric, in batches of one queue pair. Runs on a thread of its own, which leaves the sockets
 * to a thread of the program while that polls.
 */
final class Reader implements Runnable, AutoCloseable {
    /** Datagrams that are read from one socket before others, and before their packets enter the fabric. */
    private static final int MAX_AT_ONCE = 256;

    /** Packets after which other threads process them; fewer are processed on this one if they may be, since waking another costs more. */
    private static final int FEW = 8;

    /** Times that the sockets are read before they are selected again. */
    private static final int MAX_ROUNDS = 16;

    private final Map<PortAddress, DatagramChannel> sockets;
    private final Selector selector;
    private final DatagramReader intake;
    private final Responses responses;
    private final Credits credits;
    private final UplinkCounters<CableCounter> counters;
    private final Endpoint border;
    private final FabricReference fabric;
    private final LongSupplier clock;
    private final Executor handing;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    /** Held by the thread that reads. */
    private final ReentrantLock reading = new ReentrantLock();

    private final Sleep leaving = new Sleep();
    private volatile Optional<Polling> polling = Optional.empty();
    private final List<Packet> batch = new ArrayList<>(Switchboard.MAX_BATCH);
    /** Credits that are taken and not used. */
    private int room;

    Reader(
            Map<PortAddress, DatagramChannel> sockets,
            DatagramReader intake,
            Responses responses,
            Credits credits,
            UplinkCounters<CableCounter> counters,
            Endpoint border,
            FabricReference fabric,
            LongSupplier clock,
            Executor handing) {
        this.intake = intake;
        this.responses = responses;
        this.credits = credits;
        this.counters = counters;
        this.border = border;
        this.fabric = fabric;
        this.clock = clock;
        this.handing = handing;
        this.sockets = new LinkedHashMap<>(sockets);
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
                long left = polling.map(Polling::remainingNanos).orElse(0L);
                if (left > 0) {
                    leaving.sleep(left);
                } else {
                    selector.select();
                    readSelected();
                }
            }
        } catch (ClosedChannelException | ClosedSelectorException | InterruptedException closed) {
            // The gateway is being closed.
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void readSelected() throws IOException, InterruptedException {
        reading.lockInterruptibly();
        try {
            for (int i = 0; i < MAX_ROUNDS && readSome(selector.selectedKeys()); i++) {
                // Datagrams that came meanwhile need no further selection, which costs more than reading them.
            }
        } finally {
            reading.unlock();
        }
        selector.selectedKeys().clear();
    }

    /**
     * Reads on the calling thread, unless another one reads; returns the number of datagrams. The reader's own thread leaves the sockets to those who
     * poll, from now on.
     */
    int poll(Polling by) {
        if (polling.isEmpty()) {
            polling = Optional.of(by);
        }
        if (reading.isHeldByCurrentThread() || !reading.tryLock()) {
            return 0;
        }
        try {
            int read = 0;
            for (Map.Entry<PortAddress, DatagramChannel> socket : sockets.entrySet()) {
                // The caller runs what this makes ready, when others may read again.
                read += readSome(socket.getValue(), socket.getKey(), Runnable::run);
            }
            return read;
        } catch (ClosedChannelException closed) {
            return 0;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            reading.unlock();
        }
    }

    /** The reader's own thread reads again. */
    void pollsNoMore() {
        leaving.end();
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

    /** Reads each of these sockets; false if there was no datagram. */
    private boolean readSome(Set<SelectionKey> ready) throws IOException, InterruptedException {
        boolean found = false;
        for (SelectionKey key : ready) {
            if (room == 0) {
                room = credits.takeAll();
            }
            found |= readSome((DatagramChannel) key.channel(), (PortAddress) key.attachment(), handing) > 0;
        }
        return found;
    }

    /** Returns the number of datagrams. Ends also when no credit is left. */
    private int readSome(DatagramChannel socket, PortAddress to, Executor few) throws IOException {
        int read = 0;
        try {
            while (read < MAX_AT_ONCE && hasRoom() && readOne(socket, to)) {
                read++;
            }
            return read;
        } finally {
            if (read <= FEW) {
                few.execute(this::send);
            } else {
                send();
            }
            credits.giveBack(room);
            room = 0;
        }
    }

    private boolean hasRoom() {
        if (room == 0) {
            room = credits.takeNow();
        }
        return room > 0;
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
