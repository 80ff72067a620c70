// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.gateway;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionDescription;
import org.hcaactors.api.connection.ConnectionRequest;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/**
 * A connection that a client made by communication management, with memory whose beginning receives its messages. One thread.
 *
 * @param slots where messages arrive
 */
record Accepted(RdmaNetwork network, Side side, Inbox inbox, Slots slots, Connection connection)
        implements AutoCloseable {
    /** More than 16 times the longest time that a client can ask for, 2.4 hours. */
    private static final Duration LONGEST_ANSWER = Duration.ofDays(2);

    /**
     * Receives of equal size, one behind the other from the beginning of the memory.
     *
     * @param number of them; so many requests may be outstanding, too
     */
    record Slots(int number, int bytes) {
        /** Returns the offset of the memory behind them. */
        int end() {
            return number * bytes;
        }

        private void receiveAll(RcQueuePair qp, Side side) {
            for (int slot = 0; slot < number; slot++) {
                receive(qp, side, slot);
            }
        }

        private void receive(RcQueuePair qp, Side side, int slot) {
            qp.postReceive(Receive.of(slot, side.slice((long) slot * bytes, bytes)));
        }
    }

    /**
     * Accepts a request.
     *
     * @param context that of the listener
     * @param more bytes of memory behind the slots
     * @param reply data for the client
     */
    static Accepted accept(
            RdmaNetwork network,
            DeviceContext context,
            ConnectionRequest request,
            Slots slots,
            int more,
            ByteBuffer reply) {
        Side side = Side.within(network, context.allocatePd(), slots.end() + more);
        Inbox inbox = new Inbox(network.await(context.createCq(2 * slots.number)));
        QpDescription<RcQueuePair> qp = QpDescription.rc()
                .withCapacity(QpCapacity.of(slots.number).withMaxSge(1).withMaxInlineBytes(0))
                .withRecvCq(inbox.queue());
        ConnectionDescription description = ConnectionDescription.of(side.domain())
                .withQp(qp)
                .withTerms(UnconnectedQp.PATIENT)
                .withPrivateData(reply)
                .withPrepared(made -> slots.receiveAll(made, side));
        try {
            return new Accepted(network, side, inbox, slots, answered(network, request.accept(description)));
        } catch (RuntimeException refused) {
            try {
                close(side, inbox);
            } catch (VerbsException stillConnecting) {
                refused.addSuppressed(stillConnecting);
            }
            throw refused;
        }
    }

    /**
     * Waits until the client is ready, or communication management gives it up: before that the queue pair cannot be destroyed,
     * and the client counts as one that is served.
     */
    static Connection answered(RdmaNetwork network, CompletionStage<Connection> accepted) {
        return network.await(accepted, LONGEST_ANSWER);
    }

    /**
     * Waits for the next message; its slot receives no other one. Empty if the client disconnects.
     *
     * @throws PeerException if it is silent for longer, or its message does not fit
     */
    Optional<WorkCompletion> next(Duration longestSilence) throws PeerException, InterruptedException {
        WorkCompletion message = inbox.next(longestSilence)
                .orElseThrow(() -> new PeerException("it said nothing for " + longestSilence.toSeconds() + " s"));
        if (message.status() == Status.WR_FLUSH_ERR) {
            return Optional.empty();
        }
        if (!message.isSuccess()) {
            throw new PeerException("a receive of " + slots.bytes + " bytes ended with " + message.status());
        }
        return Optional.of(message);
    }

    /** Returns the bytes of a message. */
    byte[] bytes(WorkCompletion message) {
        return side.memory().read(message.workId() * slots.bytes, (int) message.lengthBytes());
    }

    /** Lets the slot of a message receive another one. */
    void receiveAgain(WorkCompletion message) {
        slots.receive(connection.qp(), side, (int) message.workId());
    }

    /** Posts requests, and waits until all are completed. */
    void done(String kind, List<? extends RcWork> requests, Duration longest) throws PeerException {
        for (var completion : requests.stream().map(connection.qp()::submit).toList()) {
            WorkCompletion done = network.await(completion, longest);
            if (!done.isSuccess()) {
                throw new PeerException("a " + kind + " ended with " + done.status());
            }
        }
    }

    @Override
    public void close() {
        connection.close();
        close(side, inbox);
    }

    private static void close(Side side, Inbox inbox) {
        inbox.queue().close();
        side.region().close();
        side.memory().close();
        side.domain().close();
    }

    @Override
    public String toString() {
        return "queue pair 0x%06x".formatted(connection.qp().number());
    }
}
