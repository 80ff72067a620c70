// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.hcaactors.fabric.cable.CableCounter;

/** Sends packets by the sockets, each peer's at its pace. Runs on a thread of its own. */
final class Writer implements Runnable {
    /** Packets that leave before further ones are taken from the outbox. */
    private static final int TURN = 64;

    /** Items of the outbox that are taken before packets leave. */
    private static final int MAX_TAKEN = 256;

    private final PacketSender sender;
    private final Outbox outbox;
    private final PeerQueues queues;
    private final Losses losses;
    private final LongSupplier clock;
    private boolean ended;

    Writer(PacketSender sender, PeerQueues queues, Outbox outbox, Losses losses, LongSupplier clock) {
        this.sender = sender;
        this.queues = queues;
        this.outbox = outbox;
        this.losses = losses;
        this.clock = clock;
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
                send(last.get(), clock.getAsLong());
            }
        } catch (ClosedChannelException | InterruptedException closed) {
            // The gateway is being closed.
        }
    }

    /** Takes what is in the outbox; waits for it if no packet can leave now. */
    private void take() throws InterruptedException {
        long now = clock.getAsLong();
        long departure = Math.min(queues.nextDeparture(now), sender.nextDeadline(now));
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
        sender.advance(now);
        for (int i = 0; i < TURN; i++) {
            Optional<Outgoing> next = queues.poll(now);
            if (next.isEmpty()) {
                return;
            }
            send(next.get(), now);
        }
    }

    private void send(Outgoing leaving, long now) throws ClosedChannelException, InterruptedException {
        for (var full = sender.send(leaving, now); full.isPresent(); full = sender.send(leaving, now)) {
            awaitWritable(full.get());
        }
    }

    /** The socket's buffer is full. */
    private static void awaitWritable(DatagramChannel socket) throws InterruptedException {
        try (Selector selector = Selector.open()) {
            socket.register(selector, SelectionKey.OP_WRITE);
            selector.select();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
