// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Supplier;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.connection.Connection;
import org.hcaactors.api.connection.ConnectionEnd;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.jspecify.annotations.Nullable;

/**
 * A connection that carries messages. Each arrives whole, once and in order, or the channel ends. It is closed when its peer or its
 * subscriber ends it.
 *
 * <p>Threads: any. Limits: {@link EndpointDescription#window} messages under way; 65,536 more wait, then EAGAIN.
 */
public final class MessageChannel implements Handle {
    private static final int MAX_WAITING = 65_536;

    /** First byte of the data of an end that tells how many of its messages have arrived. */
    private static final byte COUNTED = 1;

    private final Endpoint endpoint;
    private final RcQueuePair queuePair;
    private final MessageQueue arrived = new MessageQueue(this::closeAsync);
    private final CompletableFuture<Connection> connection = new CompletableFuture<>();
    private final CompletableFuture<ConnectionEnd> ended = new CompletableFuture<>();
    private final ArrayDeque<Sending> waiting = new ArrayDeque<>();
    private int underWay;

    /** Messages that were posted, in order. */
    private long sent;

    /** Number of the last message that the peer's adapter has acknowledged, and with it all before. */
    private long acknowledged;

    private long received;

    /** A thread posts messages; others leave it to that one. */
    private boolean posting;

    private boolean over;

    /** Time until the next check of the peer. */
    private @Nullable CompletionStage<Void> nextCheck;

    /** The peer has ended the channel, and these of its messages have not been received yet. */
    private @Nullable Leaving leaving;

    private record Sending(Supplier<Optional<byte[]>> content, CompletableFuture<Void> done) {}

    private record Leaving(ConnectionEnd end, long messages) {}

    MessageChannel(Endpoint endpoint, RcQueuePair queuePair) {
        this.endpoint = endpoint;
        this.queuePair = queuePair;
    }

    MessageChannel connected(Connection made) {
        connection.complete(made);
        made.ended().thenAccept(end -> {
            left(end);
            endpoint.ending(queuePair);
            made.closeAsync();
        });
        endpoint.description().keepalive().ifPresent(this::keepAlive);
        return this;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    void arrived(Message message) {
        arrived.add(message);
        Leaving done = null;
        synchronized (this) {
            received++;
            if (leaving != null && received >= leaving.messages) {
                done = leaving;
                leaving = null;
            }
        }
        if (done != null) {
            over(done.end);
        }
    }

    /** Address and port of the peer. */
    public InetSocketAddress peer() {
        return connection.join().peer();
    }

    /**
     * The queue pair, for READs, WRITEs and atomics beside the messages. Its send queue has room for {@link
     * EndpointDescription#oneSided} of them. The program neither posts receives nor closes it: the channel does.
     */
    public RcQueuePair qp() {
        return queuePair;
    }

    /**
     * Messages of the peer; they complete when the channel has ended, also if the peer failed: {@link #ended} says how. One
     * subscriber, which closes each message; if it cancels or throws, the channel is closed.
     */
    public Flow.Publisher<Message> messages() {
        return arrived;
    }

    /**
     * Completes when the channel has ended, in whatever way; never exceptionally. The subscriber may still have messages to read.
     */
    public CompletionStage<ConnectionEnd> ended() {
        return ended.minimalCompletionStage();
    }

    /**
     * Sends a message; it waits for a place in the window and for a buffer. Completes when the peer's adapter has it. Fails with
     * EINVAL if it is too long, EAGAIN if too many wait, and a {@link ChannelEndedException} if the channel has ended: then the
     * peer may or may not have it.
     *
     * @param message 0 to {@link EndpointDescription#maxMessageBytes} bytes, copied from its position to its limit
     */
    public CompletionStage<Void> send(ByteBuffer message) {
        int max = endpoint.description().maxMessageBytes();
        if (message.remaining() > max) {
            return CompletableFuture.failedStage(VerbsException.invalid(
                    "the message has " + message.remaining() + " bytes; at most " + max + " are allowed"));
        }
        byte[] copy = Buffers.copy(message);
        return send(() -> Optional.of(copy));
    }

    /**
     * Sends a message whose content is made when it is posted, and may then be too late.
     *
     * @param content at most {@link EndpointDescription#maxMessageBytes} bytes; empty: no message is sent. Must not throw
     */
    CompletionStage<Void> send(Supplier<Optional<byte[]>> content) {
        Sending one = new Sending(content, new CompletableFuture<>());
        synchronized (this) {
            if (over || leaving != null) {
                return CompletableFuture.failedStage(endedException());
            }
            if (waiting.size() == MAX_WAITING) {
                return CompletableFuture.failedStage(new VerbsException(
                        Errno.EAGAIN, MAX_WAITING + " messages wait to be sent; no more are allowed"));
            }
            waiting.add(one);
        }
        sendWaiting();
        return one.done.minimalCompletionStage();
    }

    private static ChannelEndedException endedException() {
        return new ChannelEndedException("the channel has ended");
    }

    /** Posts what may be posted. One thread at a time does so, since messages keep their order. */
    void sendWaiting() {
        synchronized (this) {
            if (posting) {
                return;
            }
            posting = true;
        }
        while (sendOne()) {}
    }

    private boolean sendOne() {
        Sending next;
        OptionalInt buffer = OptionalInt.empty();
        synchronized (this) {
            boolean mayPost = underWay < endpoint.description().window() && !waiting.isEmpty();
            if (mayPost) {
                buffer = endpoint.buffers().take(this);
            }
            if (buffer.isEmpty()) {
                posting = false;
                return false;
            }
            underWay++;
            next = waiting.remove();
        }
        Optional<byte[]> content = next.content.get();
        if (content.isPresent()) {
            post(next, content.get(), buffer.getAsInt());
        } else {
            unneeded(next, buffer.getAsInt());
        }
        return true;
    }

    private void unneeded(Sending one, int buffer) {
        synchronized (this) {
            underWay--;
        }
        endpoint.buffers().release(buffer);
        one.done.complete(null);
    }

    private void post(Sending one, byte[] content, int buffer) {
        long number = nextNumber();
        submitted(content, buffer).whenComplete((completion, failure) -> {
            boolean isSent = failure == null && completion.status() == Status.SUCCESS;
            synchronized (this) {
                underWay--;
                // Its stages may run in another order than the messages.
                acknowledged = isSent ? Math.max(acknowledged, number) : acknowledged;
            }
            endpoint.buffers().release(buffer);
            if (isSent) {
                one.done.complete(null);
            } else {
                one.done.completeExceptionally(notSent(completion));
                closeAsync();
            }
            sendWaiting();
        });
    }

    private synchronized long nextNumber() {
        return ++sent;
    }

    private CompletionStage<WorkCompletion> submitted(byte[] content, int buffer) {
        try {
            endpoint.buffers().write(buffer, content);
            return queuePair.submit(Send.of(buffer, endpoint.buffers().slice(buffer, content.length)));
        } catch (RuntimeException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    private static ChannelEndedException notSent(@Nullable WorkCompletion completion) {
        String why = completion == null ? "the queue pair is gone" : "its request ended with " + completion.status();
        return new ChannelEndedException("the channel has ended, and the peer may or may not have the message: " + why);
    }

    private void keepAlive(Duration idle) {
        long before;
        CompletionStage<Void> time;
        try {
            time = endpoint.process().after(idle);
        } catch (IllegalStateException tooManyTimers) {
            closeAsync();
            return;
        }
        synchronized (this) {
            before = sent;
            nextCheck = time;
            if (over) {
                time.toCompletableFuture().cancel(false);
                return;
            }
        }
        time.thenRun(() -> {
            CompletionStage<Void> checked = isIdle(before) ? check() : CompletableFuture.completedStage(null);
            checked.thenRun(() -> keepAlive(idle));
        });
    }

    /** The timer would keep the network busy until the next check. */
    private synchronized void keepAliveEnds() {
        if (nextCheck != null) {
            nextCheck.toCompletableFuture().cancel(false);
        }
    }

    synchronized boolean isOver() {
        return over;
    }

    /** A message under way is acknowledged or fails, as a check would be. */
    private synchronized boolean isIdle(long before) {
        return sent == before && underWay == 0;
    }

    /**
     * Sends a WRITE of no bytes, which needs no memory of the peer, and which its adapter acknowledges. If there is no room for
     * it, requests of the program are under way, which notice the peer themselves.
     */
    private CompletionStage<Void> check() {
        try {
            return queuePair
                    .submit(RdmaWrite.of(0, List.of(), new RemoteAddress(0, 0)))
                    .thenAccept(completion -> {
                        if (completion.status() != Status.SUCCESS) {
                            closeAsync();
                        }
                    })
                    .exceptionally(refused -> null);
        } catch (VerbsException full) {
            return CompletableFuture.completedStage(null);
        }
    }

    /** Messages that the peer's adapter knows to have arrived are received first; their completions may be under way. */
    private void left(ConnectionEnd end) {
        long messages = counted(end.privateData());
        synchronized (this) {
            if (messages > received) {
                leaving = new Leaving(end, messages);
                return;
            }
        }
        over(end);
    }

    private static long counted(ByteBuffer data) {
        boolean isCounted = data.remaining() > Long.BYTES && data.get() == COUNTED;
        return isCounted ? data.getLong() : 0;
    }

    private void over(ConnectionEnd end) {
        List<Sending> unsent;
        synchronized (this) {
            over = true;
            unsent = new ArrayList<>(waiting);
            waiting.clear();
        }
        keepAliveEnds();
        unsent.forEach(each -> each.done.completeExceptionally(endedException()));
        endpoint.left(queuePair.number());
        arrived.end();
        ended.complete(end);
    }

    /** The program will not read the messages: their buffers are free. */
    void discard() {
        arrived.discard();
    }

    /** The connection was not made: messages that arrived meanwhile are lost. */
    void failed() {
        discard();
        over(new ConnectionEnd(ConnectionEnd.Cause.CLOSED_HERE, ByteBuffer.allocate(0)));
        connection.cancel(false);
    }

    /** Disconnects. Messages whose {@link #send} has completed are received by the peer; others may be. */
    @Override
    public CompletionStage<Void> closeAsync() {
        return connection.thenCompose(made -> {
            endpoint.ending(queuePair);
            return made.closeAsync(count());
        });
    }

    private synchronized ByteBuffer count() {
        return ByteBuffer.allocate(1 + Long.BYTES)
                .put(COUNTED)
                .putLong(acknowledged)
                .flip();
    }

    @Override
    public void close() {
        Connection made = connection.join();
        closeAsync();
        made.close();
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
