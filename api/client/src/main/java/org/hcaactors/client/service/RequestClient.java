// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.stream.Subscribers;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends requests to one server, and connects again when its connection ends. Requests without a reply are sent again,
 * with the same token; each ends at its deadline at the latest. It connects when there is a request, and not before.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: 65,536 requests without a reply, then EAGAIN.
 */
public final class RequestClient implements Handle {
    private static final int MAX_OPEN = 65_536;

    private final Endpoint endpoint;
    private final InetSocketAddress server;
    private final RetryPolicy policy;
    private final Map<Long, Open> open = new LinkedHashMap<>();
    private long lastNumber;
    private @Nullable MessageChannel channel;
    private boolean connecting;
    private boolean closed;
    private Duration wait;

    /** Number of the first connection's queue pair; 0 before. */
    private int queuePair;

    private @Nullable Throwable lastFailure;

    static void checkSize(Endpoint endpoint) {
        int max = endpoint.description().maxMessageBytes();
        if (max <= RequestFrame.HEADER) {
            throw VerbsException.invalid("messages have at most " + max + " bytes, of which requests and replies need "
                    + RequestFrame.HEADER + " for themselves (withMaxMessageBytes)");
        }
    }

    /** A request without a reply. */
    private static final class Open {
        private final long number;
        private final ByteBuffer body;
        private final CompletionStage<Void> deadline;
        private final CompletableFuture<ByteBuffer> reply = new CompletableFuture<>();
        private boolean sent;

        Open(long number, ByteBuffer body, CompletionStage<Void> deadline) {
            this.number = number;
            this.body = body;
            this.deadline = deadline;
        }

        /** Its timer would keep the network busy until the deadline. */
        void ends() {
            deadline.toCompletableFuture().cancel(false);
        }
    }

    /** Creates a client; it connects with its first request. EINVAL if the endpoint's messages have no room for a request. */
    public RequestClient(Endpoint endpoint, InetSocketAddress server, RetryPolicy policy) {
        this.endpoint = endpoint;
        this.server = server;
        this.policy = policy;
        checkSize(endpoint);
        wait = policy.first();
    }

    /**
     * Sends a request. Fails with a {@link RequestException} at the deadline, if the server failed, or if the client is closed;
     * with EINVAL if the body is too long, and EAGAIN if too many requests wait.
     *
     * @param body copied, at most 21 bytes less than a message may have
     * @param deadline time from now on, on the network's clock
     */
    public CompletionStage<ByteBuffer> request(ByteBuffer body, Duration deadline) {
        int max = endpoint.description().maxMessageBytes() - RequestFrame.HEADER;
        if (body.remaining() > max) {
            return CompletableFuture.failedStage(VerbsException.invalid(
                    "the request has " + body.remaining() + " bytes; at most " + max + " are allowed"));
        }
        if (deadline.isNegative() || deadline.isZero()) {
            return CompletableFuture.failedStage(new RequestException(
                    Errno.ETIMEDOUT, RequestException.Fate.NOT_SENT, "the deadline of " + deadline + " has passed"));
        }
        byte[] copy = Buffers.copy(body);
        Open made;
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedStage(closedException(false));
            }
            if (open.size() == MAX_OPEN) {
                return CompletableFuture.failedStage(
                        new VerbsException(Errno.EAGAIN, MAX_OPEN + " requests wait for a reply; no more are allowed"));
            }
            made = new Open(
                    ++lastNumber,
                    ByteBuffer.wrap(copy),
                    endpoint.description().timer().apply(deadline));
            open.put(made.number, made);
        }
        made.deadline.thenRun(() -> expired(made, deadline));
        send(made);
        return made.reply.minimalCompletionStage();
    }

    private void send(Open request) {
        MessageChannel to;
        synchronized (this) {
            to = channel;
            request.sent |= to != null;
        }
        if (to == null) {
            connect();
        } else {
            RequestToken token = new RequestToken(endpoint.adapterGuid(), queuePair(), request.number);
            to.send(new RequestFrame(RequestFrame.Kind.REQUEST, token, request.body).encoded());
        }
    }

    private synchronized int queuePair() {
        return queuePair;
    }

    private void connect() {
        synchronized (this) {
            if (connecting || closed || channel != null || open.isEmpty()) {
                return;
            }
            connecting = true;
        }
        endpoint.connect(server).whenComplete((made, failure) -> {
            if (failure == null) {
                connected(made);
            } else {
                notConnected(failure);
            }
        });
    }

    private void connected(MessageChannel made) {
        List<Open> again;
        synchronized (this) {
            connecting = false;
            wait = policy.first();
            if (closed) {
                made.closeAsync();
                return;
            }
            channel = made;
            queuePair = queuePair == 0 ? made.qp().number() : queuePair;
            again = List.copyOf(open.values());
        }
        made.messages()
                .subscribe(
                        Subscribers.forEach(message -> RequestFrame.of(message).ifPresent(this::answered)));
        made.ended().thenRun(() -> disconnected(made));
        again.forEach(this::send);
    }

    /** A queue pair that cannot be created, for example since the endpoint is closed, ends the client. */
    private void notConnected(Throwable failure) {
        Throwable reason = StageFailure.itself(failure);
        synchronized (this) {
            lastFailure = reason;
        }
        if (reason instanceof VerbsException refused && refused.errno() == Errno.EINVAL) {
            closeAsync();
        } else {
            connectLater();
        }
    }

    private void connectLater() {
        Duration now;
        synchronized (this) {
            now = wait;
            wait = policy.after(wait);
        }
        endpoint.description().timer().apply(now).thenRun(() -> {
            synchronized (this) {
                connecting = false;
            }
            connect();
        });
    }

    private void disconnected(MessageChannel ended) {
        synchronized (this) {
            if (channel == ended) {
                channel = null;
            }
        }
        connect();
    }

    private void answered(RequestFrame frame) {
        RequestToken token = frame.token();
        Open request;
        synchronized (this) {
            boolean isOwn = frame.kind() != RequestFrame.Kind.REQUEST
                    && token.adapter() == endpoint.adapterGuid()
                    && token.queuePair() == queuePair;
            request = isOwn ? open.remove(token.number()) : null;
        }
        if (request == null) {
            return;
        }
        request.ends();
        switch (frame.kind()) {
            case REPLY -> request.reply.complete(frame.body().asReadOnlyBuffer());
            case FAILURE ->
                request.reply.completeExceptionally(new RequestException(
                        Errno.EIO,
                        RequestException.Fate.FAILED,
                        "the server failed: " + StandardCharsets.UTF_8.decode(frame.body())));
            case REQUEST -> {}
        }
    }

    private void expired(Open request, Duration deadline) {
        boolean waits;
        synchronized (this) {
            waits = open.remove(request.number, request);
        }
        if (waits) {
            request.reply.completeExceptionally(new RequestException(
                    Errno.ETIMEDOUT,
                    fate(request.sent),
                    "no reply within " + deadline
                            + (request.sent
                                    ? "; whether the server executed the request is not known"
                                    : "; the request was not sent, since no connection was made: " + lastFailure())));
        }
    }

    private synchronized String lastFailure() {
        return lastFailure == null ? "the server has not answered yet" : String.valueOf(lastFailure.getMessage());
    }

    private static RequestException.Fate fate(boolean sent) {
        return sent ? RequestException.Fate.UNKNOWN : RequestException.Fate.NOT_SENT;
    }

    private static RequestException closedException(boolean sent) {
        return new RequestException(Errno.ECANCELED, fate(sent), "the client is closed");
    }

    /** Fails requests without a reply, and disconnects. */
    @Override
    public CompletionStage<Void> closeAsync() {
        MessageChannel last = end();
        return last == null ? CompletableFuture.completedStage(null) : last.closeAsync();
    }

    @Override
    public void close() {
        MessageChannel last = end();
        if (last != null) {
            last.close();
        }
    }

    /** Ends all requests, and returns the channel that is left to close. */
    private @Nullable MessageChannel end() {
        List<Open> left;
        MessageChannel last;
        synchronized (this) {
            closed = true;
            left = List.copyOf(open.values());
            open.clear();
            last = channel;
        }
        left.forEach(each -> {
            each.ends();
            each.reply.completeExceptionally(closedException(each.sent));
        });
        return last;
    }

    @Override
    public String describe() {
        return "client of " + server;
    }
}
