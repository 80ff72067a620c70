// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/**
 * The border's receiver. Packets of the fabric wait here for the writer, at most {@link #MAX_PACKETS}; further ones are lost. Any
 * thread adds, the writer takes.
 */
final class Outbox implements Receiver {
    static final int MAX_PACKETS = 1 << 14;

    /** Something for the writer. */
    sealed interface Item {}

    /** Packets that wait together. */
    record Batch(List<Outgoing> packets) implements Item {}

    /** Something other than packets. */
    enum Note implements Item {
        /** A window has opened. */
        WAKE,
        /** Nothing follows. */
        END
    }

    private final LinkedBlockingQueue<Item> items = new LinkedBlockingQueue<>();
    private final Semaphore room = new Semaphore(MAX_PACKETS);
    private final Credits credits;
    private final Losses losses;

    /** @param credits of packets from outside, which the fabric returns here */
    Outbox(Credits credits, Losses losses) {
        this.credits = credits;
        this.losses = losses;
    }

    @Override
    public void deliver(Packet[] batch, long[] traceIds) {
        List<Outgoing> packets = new ArrayList<>(batch.length);
        for (int i = 0; i < batch.length; i++) {
            OptionalLong event = i < traceIds.length ? OptionalLong.of(traceIds[i]) : OptionalLong.empty();
            packets.add(new Outgoing(batch[i], Optional.empty(), event));
        }
        add(packets);
    }

    @Override
    public void damaged(Packet packet, Octets frame) {
        add(List.of(new Outgoing(packet, Optional.of(frame), OptionalLong.empty())));
    }

    /** Not called: a damaged packet comes with its frame. */
    @Override
    public void corrupted() {}

    @Override
    public void credit(int packets) {
        credits.giveBack(packets);
    }

    private void add(List<Outgoing> packets) {
        if (room.tryAcquire(packets.size())) {
            items.add(new Batch(packets));
        } else {
            packets.forEach(packet ->
                    losses.lost(packet, CableCounter.QUEUE_FULL, MAX_PACKETS + " packets wait for the cable"));
        }
    }

    /** Ends the queue: the writer takes what is in it by now. */
    void end() {
        items.add(Note.END);
    }

    /** Wakes the writer. */
    void wake() {
        items.add(Note.WAKE);
    }

    /** Returns the next item; empty if none comes in time. */
    Optional<Item> take(long nanos) throws InterruptedException {
        return Optional.ofNullable(nanos == Long.MAX_VALUE ? items.take() : items.poll(nanos, TimeUnit.NANOSECONDS));
    }

    /** Called for every packet that was taken: its peer's queue bounds it from now on. */
    void done() {
        room.release();
    }
}
