// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hcaactors.fabric.cable.CableCounter;

/** Sends packets, each peer's at its pace and within its window. Never waits. Not thread-safe. */
final class Transmitter {
    private final PacketSender sender;
    private final PeerQueues queues;
    private final Losses losses;
    private final LongSupplier clock;
    /** The next packet, if the buffer of its socket was full. */
    private Optional<Outgoing> stuck = Optional.empty();

    Transmitter(PacketSender sender, PeerQueues queues, Losses losses, LongSupplier clock) {
        this.sender = sender;
        this.queues = queues;
        this.losses = losses;
        this.clock = clock;
    }

    /** Adds a packet. */
    void queue(Outgoing packet) {
        switch (queues.add(packet)) {
            case QUEUED -> {}
            case NO_PEER -> lost(packet, CableCounter.NO_PEER, "no peer of the cable has that address");
            case FULL -> lost(packet, CableCounter.QUEUE_FULL, "too many packets wait for the peer");
        }
    }

    private void lost(Outgoing packet, CableCounter counter, String reason) {
        losses.lost(packet, counter, reason);
        packet.ends();
    }

    /**
     * Sends the packets that may leave now.
     *
     * @param max maximum number of packets
     * @return the socket whose buffer is full, if that is why none leaves any more
     */
    Optional<DatagramChannel> send(int max) throws ClosedChannelException {
        long now = clock.getAsLong();
        sender.advance(now);
        return send(() -> queues.poll(now), max, now);
    }

    /** Sends packets whatever their pace and window; as {@link #send}. */
    Optional<DatagramChannel> sendUnlimited() throws ClosedChannelException {
        return send(queues::pollUnlimited, Integer.MAX_VALUE, clock.getAsLong());
    }

    private Optional<DatagramChannel> send(Supplier<Optional<Outgoing>> source, int max, long now)
            throws ClosedChannelException {
        Optional<DatagramChannel> full = Optional.empty();
        for (int i = 0; i < max && full.isEmpty(); i++) {
            Optional<Outgoing> next = stuck.isPresent() ? stuck : source.get();
            if (next.isEmpty()) {
                break;
            }
            full = send(next.get(), now);
        }
        return full;
    }

    private Optional<DatagramChannel> send(Outgoing leaving, long now) throws ClosedChannelException {
        stuck = Optional.empty();
        Optional<DatagramChannel> full = sender.send(leaving, now);
        if (full.isPresent()) {
            stuck = Optional.of(leaving);
        } else {
            leaving.ends();
        }
        return full;
    }

    /** Returns the nanoseconds until {@link #send} has something to do; Long.MAX_VALUE if it has nothing. */
    long nanosToDeparture() {
        if (stuck.isPresent()) {
            return 0;
        }
        long now = clock.getAsLong();
        long departure = Math.min(queues.nextDeparture(now), sender.nextDeadline(now));
        return departure == Long.MAX_VALUE ? departure : Math.max(0, departure - now);
    }
}
