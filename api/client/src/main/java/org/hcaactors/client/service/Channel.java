// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.api.connection.ConnectionException;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.jspecify.annotations.Nullable;

/**
 * A connection that carries messages. Each arrives whole, once and in order, or the channel ends.
 *
 * <p>Threads: any. Limits: {@link EndpointDescription#window} messages under way; 65,536 more wait, then EAGAIN.
 */
public final class Channel implements Handle {
    private static final int MAX_WAITING = 65_536;

    private final Endpoint endpoint;
    private final RcQueuePair queuePair;
    private final MessageQueue arrived = new MessageQueue();
    private final CompletableFuture<Connection> connection = new CompletableFuture<>();
    private final CompletableFuture<ConnectionEnd> ended = new CompletableFuture<>();
    private final ArrayDeque<Sending> waiting = new ArrayDeque<>();
    private int underWay;
    private long sent;
    private boolean over;

    private record Sending(byte[] content, CompletableFuture<Void> done) {}

    Channel(Endpoint endpoint, RcQueuePair queuePair) {
        this.endpoint = endpoint;
        this.queuePair = queuePair;
    }

    void connected(Connection made) {
        connection.complete(made);
        made.ended().thenAccept(this::over);
        endpoint.description().keepalive().ifPresent(this::keepAlive);
    }

    void arrived(Message message) {
        arrived.add(message);
    }

    /** Address and port of the peer. */
    public InetSocketAddress peer() {
        return connection.join().peer();
    }

    /**
     * The queue pair, for READs, WRITEs and atomics beside the messages. Its send queue has room for {@link
     * EndpointDescription#oneSided} of them.
     */
    public RcQueuePair queuePair() {
        return queuePair;
    }

    /** Messages of the peer; they complete when the channel has ended. One subscriber. */
    public Flow.Publisher<Message> messages() {
        return arrived;
    }

    /** Completes when the channel has ended, in whatever way; never exceptionally. */
    public CompletionStage<ConnectionEnd> ended() {
        return ended.minimalCompletionStage();
    }

    /**
     * Sends a message; it waits for a place in the window and for a buffer. Completes when the peer's adapter has it. Fails with
     * EINVAL if it is too long, EAGAIN if too many wait, and a {@link ConnectionException} if the channel has ended: then the peer
     * may or may not have it.
     *
     * @param message 0 to {@link EndpointDescription#maxMessageBytes} bytes, copied from its position to its limit
     */
    public CompletionStage<Void> send(ByteBuffer message) {
        int max = endpoint.description().maxMessageBytes();
        if (message.remaining() > max) {
            return CompletableFuture.failedStage(VerbsException.invalid(
                    "the message has " + message.remaining() + " bytes; at most " + max + " are allowed"));
        }
        byte[] copy = new byte[message.remaining()];
        message.get(message.position(), copy);
        Sending one = new Sending(copy, new CompletableFuture<>());
        synchronized (this) {
            if (over) {
                return CompletableFuture.failedStage(endedException());
            }
            if (waiting.size() == MAX_WAITING) {
                return CompletableFuture.failedStage(new VerbsException(
                        Errno.EAGAIN, MAX_WAITING + " messages wait to be sent; no more are allowed"));
            }
            waiting.add(one);
        }
        sendNext();
        return one.done.minimalCompletionStage();
    }

    private static ConnectionException endedException() {
        return ConnectionException.failed(Errno.ECANCELED, "the channel has ended");
    }

    private void sendNext() {
        while (true) {
            Sending next;
            synchronized (this) {
                if (underWay == endpoint.description().window() || waiting.isEmpty()) {
                    return;
                }
                underWay++;
                sent++;
                next = waiting.remove();
            }
            endpoint.buffers().take().thenAccept(buffer -> post(next, buffer));
        }
    }

    private void post(Sending one, int buffer) {
        submitted(one, buffer).whenComplete((completion, failure) -> {
            endpoint.buffers().release(buffer);
            synchronized (this) {
                underWay--;
            }
            boolean isSent = failure == null && completion.status() == Status.SUCCESS;
            if (isSent) {
                one.done.complete(null);
            } else {
                one.done.completeExceptionally(notSent(completion));
                closeAsync();
            }
            sendNext();
        });
    }

    private CompletionStage<WorkCompletion> submitted(Sending one, int buffer) {
        try {
            endpoint.buffers().write(buffer, one.content);
            return queuePair.submit(Send.of(buffer, endpoint.buffers().slice(buffer, one.content.length)));
        } catch (RuntimeException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    private static ConnectionException notSent(@Nullable WorkCompletion completion) {
        String why = completion == null ? "the queue pair is gone" : "its request ended with " + completion.status();
        return ConnectionException.failed(
                Errno.ECANCELED, "the channel has ended, and the peer may or may not have the message: " + why);
    }

    private synchronized long sent() {
        return sent;
    }

    private void keepAlive(Duration idle) {
        long before = sent();
        endpoint.description().timer().apply(idle).thenRun(() -> {
            if (isOver()) {
                return;
            }
            if (sent() == before) {
                check();
            }
            keepAlive(idle);
        });
    }

    private synchronized boolean isOver() {
        return over;
    }

    /** Sends a WRITE of no bytes, which needs no memory of the peer, and which its adapter acknowledges. */
    private void check() {
        try {
            queuePair
                    .submit(RdmaWrite.of(0, List.of(), new RemoteAddress(0, 0)))
                    .thenAccept(completion -> {
                        if (completion.status() != Status.SUCCESS) {
                            closeAsync();
                        }
                    });
        } catch (VerbsException refused) {
            closeAsync();
        }
    }

    private void over(ConnectionEnd end) {
        List<Sending> unsent;
        synchronized (this) {
            over = true;
            unsent = new ArrayList<>(waiting);
            waiting.clear();
        }
        unsent.forEach(each -> each.done.completeExceptionally(endedException()));
        endpoint.left(queuePair.number());
        arrived.end();
        ended.complete(end);
    }

    /** The connection was not made: messages that arrived meanwhile are lost. */
    void failed() {
        over(new ConnectionEnd(ConnectionEnd.Cause.CLOSED_HERE, ByteBuffer.allocate(0)));
    }

    /** Disconnects; what is under way may or may not reach the peer. */
    @Override
    public CompletionStage<Void> closeAsync() {
        return connection.thenCompose(Connection::closeAsync);
    }

    @Override
    public void close() {
        connection.join().close();
    }

    @Override
    public String describe() {
        return "channel of queue pair " + queuePair.number();
    }

    @Override
    public String toString() {
        return describe();
    }
}
