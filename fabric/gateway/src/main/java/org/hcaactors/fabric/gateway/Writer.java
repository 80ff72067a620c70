// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** Sends the packets of the outbox, and waits for what they wait for. Runs on a thread of its own. */
final class Writer implements Runnable {
    private final Outbox outbox;

    Writer(Outbox outbox) {
        this.outbox = outbox;
    }

    /** Ends when everything before the end of the outbox has left, or the sockets are closed. */
    @Override
    public void run() {
        try {
            while (!outbox.isEnded()) {
                await(outbox.turn());
            }
            for (Outbox.Turn last = outbox.lastTurn(); last.nanos() == 0; last = outbox.lastTurn()) {
                await(last);
            }
        } catch (ClosedChannelException | InterruptedException closed) {
            // The gateway is being closed.
        }
    }

    private void await(Outbox.Turn turn) throws InterruptedException {
        if (turn.full().isPresent()) {
            awaitWritable(turn.full().get());
        } else if (turn.nanos() > 0) {
            outbox.sleep(turn.nanos());
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
