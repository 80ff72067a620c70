// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/**
 * The border's receiver. Packets of the fabric wait here until they are sent, at most {@link #MAX_PACKETS}; further ones are lost. A
 * sender keeps its credits out until its packets have left, so that it sends no faster than they leave.
 *
 * <p>The thread that brings a few packets sends them itself if no other one sends: that costs less than to wake the writer. All else
 * is the writer's. Any thread.
 */
final class Outbox implements Receiver {
    static final int MAX_PACKETS = 1 << 14;

    /** Packets of a batch that the thread sends that brings them. */
    static final int MAX_SENT_HERE = 4;

    /** Batches that are taken over before packets leave. */
    private static final int MAX_TAKEN = 256;

    /** Packets that leave before further ones are taken over. */
    private static final int TURN = 64;

    private final ConcurrentLinkedQueue<List<Outgoing>> added = new ConcurrentLinkedQueue<>();
    private final Semaphore room = new Semaphore(MAX_PACKETS);
    private final Credits credits;
    private final Losses losses;
    /** Held by the thread that sends. */
    private final ReentrantLock sending = new ReentrantLock();

    private final Transmitter transmitter;
    private final Sleep writer = new Sleep();
    private volatile boolean ended;

    /**
     * End of a turn of the writer, with what it waits for.
     *
     * @param nanos time until the next packet may leave; 0 for now, Long.MAX_VALUE if none waits
     * @param full socket whose buffer is full, if there is one
     */
    record Turn(long nanos, Optional<DatagramChannel> full) {}

    /** @param credits of packets from outside, which the fabric returns here */
    Outbox(Credits credits, Losses losses, Transmitter transmitter) {
        this.credits = credits;
        this.losses = losses;
        this.transmitter = transmitter;
    }

    // rule wire-back-pressure
    @Override
    public int leave(Endpoint from, Packet[] batch, long[] traceIds) {
        return add(outgoing(Optional.of(from), batch, traceIds)) ? batch.length : 0;
    }

    /** Takes packets whose sender keeps its credits. */
    @Override
    public void deliver(Packet[] batch, long[] traceIds) {
        add(outgoing(Optional.empty(), batch, traceIds));
    }

    private static List<Outgoing> outgoing(Optional<Endpoint> from, Packet[] batch, long[] traceIds) {
        List<Outgoing> packets = new ArrayList<>(batch.length);
        for (int i = 0; i < batch.length; i++) {
            OptionalLong event = i < traceIds.length ? OptionalLong.of(traceIds[i]) : OptionalLong.empty();
            packets.add(new Outgoing(batch[i], Optional.empty(), event, from));
        }
        return packets;
    }

    @Override
    public void damaged(Packet packet, Octets frame) {
        add(List.of(new Outgoing(packet, Optional.of(frame), OptionalLong.empty(), Optional.empty())));
    }

    /** Not called: a damaged packet comes with its frame. */
    @Override
    public void corrupted() {}

    @Override
    public void credit(int packets) {
        credits.giveBack(packets);
    }

    private boolean add(List<Outgoing> packets) {
        if (!room.tryAcquire(packets.size())) {
            packets.forEach(packet ->
                    losses.lost(packet, CableCounter.QUEUE_FULL, MAX_PACKETS + " packets wait for the cable"));
            return false;
        }
        added.add(packets);
        if (packets.size() > MAX_SENT_HERE || !sentHere()) {
            writer.end();
        }
        return true;
    }

    /** Sends on the calling thread; false if something is left to do for the writer. */
    private boolean sentHere() {
        if (!sending.tryLock()) {
            return false;
        }
        try {
            takeOver();
            return transmitter.send(MAX_SENT_HERE).isEmpty()
                    && transmitter.nanosToDeparture() == Long.MAX_VALUE
                    && added.isEmpty();
        } catch (ClosedChannelException closed) {
            return true;
        } finally {
            sending.unlock();
        }
    }

    private void takeOver() {
        List<Outgoing> packets = added.poll();
        for (int i = 0; packets != null; i++) {
            packets.forEach(transmitter::queue);
            room.release(packets.size());
            packets = i == MAX_TAKEN ? null : added.poll();
        }
    }

    /**
     * Sends packets that may leave now. For the writer.
     *
     * @throws ClosedChannelException if the sockets are closed
     */
    Turn turn() throws ClosedChannelException {
        sending.lock();
        try {
            takeOver();
            Optional<DatagramChannel> full = transmitter.send(TURN);
            return new Turn(added.isEmpty() ? transmitter.nanosToDeparture() : 0, full);
        } finally {
            sending.unlock();
        }
    }

    /** Sends everything that is left, whatever its pace and window, as {@link #turn}; then no packet waits. For the writer. */
    Turn lastTurn() throws ClosedChannelException {
        sending.lock();
        try {
            takeOver();
            Optional<DatagramChannel> full = transmitter.sendUnlimited();
            return new Turn(full.isEmpty() ? Long.MAX_VALUE : 0, full);
        } finally {
            sending.unlock();
        }
    }

    /** Waits until there is something to do, at most so long. For the writer. */
    void sleep(long nanos) throws InterruptedException {
        writer.sleep(nanos);
    }

    /** Ends the queue: the writer sends what is in it by now. */
    void end() {
        ended = true;
        writer.end();
    }

    boolean isEnded() {
        return ended;
    }

    /** Wakes the writer: a window has opened. */
    void wake() {
        writer.end();
    }
}
