// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.stream.Subscribers;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends requests to one server, and connects again when its connection ends. Requests without a reply are sent again,
 * with the same token; each ends at its deadline at the latest. It connects when there is a request, and not before; after a
 * connection that brought no answer it waits first, as its {@link RetryPolicy} says.
 *
 * <p>Threads: any; stages complete on the callers' executor. Limits: 65,536 requests without a reply, then EAGAIN.
 */
public final class RequestClient implements Handle {
    private static final int MAX_OPEN = 65_536;

    private final Endpoint endpoint;
    private final InetSocketAddress server;
    private final RetryPolicy policy;
    private final Map<Long, Call> open = new LinkedHashMap<>();
    private long lastNumber;
    private @Nullable MessageChannel channel;
    private boolean connecting;

    /** An answer has arrived on the channel. */
    private boolean heard;

    private boolean closed;
    private Duration wait;

    /** Number of the first connection's queue pair; 0 before. */
    private int queuePair;

    private @Nullable Throwable lastFailure;

    static void checkSize(Endpoint endpoint) {
        EndpointDescription sizes = endpoint.description();
        if (sizes.maxBodyBytes() < 1) {
            throw VerbsException.invalid("messages have at most " + sizes.maxMessageBytes()
                    + " bytes, of which requests and replies need " + RequestFrame.HEADER
                    + " for themselves (withMaxMessageBytes)");
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
     * Sends a request. Fails with a {@link RequestException} at the deadline, if the server failed, or if the client is closed or its
     * process ends; with EINVAL if the body is too long, and EAGAIN if too many requests wait or the network has no timer left.
     *
     * @param body copied, at most {@link EndpointDescription#maxBodyBytes} bytes
     * @param deadline time from now on, on the network's clock, at most 24 days; IllegalArgumentException at once for a longer one.
     *     The handler sees what is left
     */
    public CompletionStage<ByteBuffer> request(ByteBuffer body, Duration deadline) {
        return call(body, deadline).reply();
    }

    /** Sends a request, as {@link #request} does, that can be cancelled. */
    public Call call(ByteBuffer body, Duration deadline) {
        int max = endpoint.description().maxBodyBytes();
        if (body.remaining() > max) {
            return Call.refused(
                    this,
                    VerbsException.invalid(
                            "the request has " + body.remaining() + " bytes; at most " + max + " are allowed"));
        }
        if (deadline.isNegative() || deadline.isZero()) {
            return Call.refused(this, notSent(Errno.ETIMEDOUT, "the deadline of " + deadline + " has passed"));
        }
        ByteBuffer copy = ByteBuffer.wrap(Buffers.copy(body));
        CompletionStage<Void> timer;
        try {
            timer = endpoint.process().after(deadline);
        } catch (IllegalStateException none) {
            return Call.refused(this, withoutTimer(none));
        }
        return begun(copy, timer, deadline);
    }

    private RuntimeException withoutTimer(IllegalStateException reason) {
        return endpoint.process().isAlive()
                ? new VerbsException(Errno.EAGAIN, "the deadline has no timer: " + reason.getMessage())
                : notSent(Errno.ECANCELED, "the process has ended");
    }

    private Call begun(ByteBuffer body, CompletionStage<Void> timer, Duration deadline) {
        Call made;
        synchronized (this) {
            Optional<RuntimeException> refusal = refusal();
            if (refusal.isPresent()) {
                timer.toCompletableFuture().cancel(false);
                return Call.refused(this, refusal.get());
            }
            made = new Call(this, ++lastNumber, body, endpoint.process().nanoTime() + deadline.toNanos());
            open.put(made.number, made);
        }
        timed(made, timer, deadline);
        send(made);
        return made;
    }

    private Optional<RuntimeException> refusal() {
        if (closed) {
            return Optional.of(notSent(Errno.ECANCELED, "the client is closed"));
        }
        return open.size() == MAX_OPEN
                ? Optional.of(
                        new VerbsException(Errno.EAGAIN, MAX_OPEN + " requests wait for a reply; no more are allowed"))
                : Optional.empty();
    }

    private void timed(Call call, CompletionStage<Void> timer, Duration deadline) {
        timer.whenComplete((done, cancelled) -> {
            if (cancelled == null) {
                end(call, Errno.ETIMEDOUT, "no reply within " + deadline);
            } else {
                end(call, Errno.ECANCELED, "the process has ended");
            }
        });
        // It would keep the network busy until the deadline.
        call.reply()
                .whenComplete((reply, failure) -> timer.toCompletableFuture().cancel(false));
    }

    private void send(Call call) {
        MessageChannel to;
        boolean isNew;
        synchronized (this) {
            to = channel;
            isNew = to != null && call.isNewTo(to);
        }
        if (to == null) {
            connect();
        } else if (isNew) {
            to.send(() -> frame(call)).exceptionally(failure -> {
                // One whose channel has ended is sent again.
                if (StageFailure.itself(failure) instanceof VerbsException refused) {
                    end(call, refused.errno(), "too many messages wait to be sent");
                }
                return null;
            });
        }
    }

    private synchronized @Nullable MessageChannel channel() {
        return channel;
    }

    /** Returns the message when it is posted; none if the request has ended meanwhile. */
    private synchronized Optional<byte[]> frame(Call call) {
        long left = call.deadline - endpoint.process().nanoTime();
        if (left <= 0 || !open.containsKey(call.number)) {
            return Optional.empty();
        }
        call.sent = true;
        RequestFrame frame = new RequestFrame(RequestFrame.Kind.REQUEST, token(call), left, call.body());
        return Optional.of(frame.encoded(call.body().remaining()));
    }

    private synchronized RequestToken token(Call call) {
        return new RequestToken(endpoint.adapterGuid(), queuePair, call.number);
    }

    private void connect() {
        if (mayConnect()) {
            connectNow();
        }
    }

    private synchronized boolean mayConnect() {
        boolean may = !connecting && !closed && channel == null && !open.isEmpty();
        connecting |= may;
        return may;
    }

    private void connectNow() {
        endpoint.connect(server).whenComplete((made, failure) -> {
            if (failure == null) {
                connected(made);
            } else {
                notConnected(failure);
            }
        });
    }

    private void connected(MessageChannel made) {
        List<Call> again;
        synchronized (this) {
            connecting = false;
            heard = false;
            if (closed) {
                made.closeAsync();
                return;
            }
            channel = made;
            queuePair = queuePair == 0 ? made.qp().number() : queuePair;
            again = List.copyOf(open.values());
        }
        made.messages().subscribe(Subscribers.forEach(this::arrived));
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
        CompletionStage<Void> timer;
        try {
            timer = endpoint.process().after(now);
        } catch (IllegalStateException none) {
            timer = CompletableFuture.failedStage(none);
        }
        timer.whenComplete((done, failure) -> {
            synchronized (this) {
                connecting = false;
            }
            if (failure == null) {
                connect();
            } else if (endpoint.process().isAlive()) {
                endAll(Errno.EAGAIN, "no timer is left to connect again later");
            } else {
                closeAsync();
            }
        });
    }

    /** A server that ends each connection before it answers would be asked again without a pause. */
    private void disconnected(MessageChannel ended) {
        boolean now;
        synchronized (this) {
            if (channel == ended) {
                channel = null;
            }
            now = heard;
        }
        if (mayConnect()) {
            if (now) {
                connectNow();
            } else {
                connectLater();
            }
        }
    }

    private void arrived(Message message) {
        Optional<RequestFrame> frame;
        try (message) {
            frame = RequestFrame.of(message.content());
        }
        frame.filter(RequestFrame::isAnswer).ifPresent(this::answered);
    }

    private void answered(RequestFrame frame) {
        RequestToken token = frame.token();
        Call call;
        synchronized (this) {
            heard = true;
            wait = policy.first();
            boolean isOwn = token.adapter() == endpoint.adapterGuid() && token.queuePair() == queuePair;
            call = isOwn ? open.get(token.number()) : null;
            // A call whose time has passed is ended by its timer, which may be late.
            if (call == null || call.deadline - endpoint.process().nanoTime() <= 0) {
                return;
            }
            open.remove(call.number);
            call.dropBody();
        }
        if (frame.kind() == RequestFrame.Kind.REPLY) {
            call.complete(frame.body().asReadOnlyBuffer());
        } else {
            int code = (int) frame.value();
            String what = "the server failed" + (code == 0 ? "" : " with code " + code) + ": " + frame.text();
            call.fail(new RequestException(Errno.EIO, RequestException.Fate.FAILED, code, what));
        }
    }

    void cancel(Call call) {
        if (end(call, Errno.ECANCELED, "the caller cancelled the request")) {
            MessageChannel to = channel();
            if (call.sent && to != null) {
                to.send(() -> Optional.of(RequestFrame.cancel(token(call)).encoded(0)));
            }
        }
    }

    /** Ends a request without a reply; returns whether it had none. */
    private boolean end(Call call, Errno errno, String why) {
        String what;
        synchronized (this) {
            if (!open.remove(call.number, call)) {
                return false;
            }
            call.dropBody();
            what = why + (call.sent ? "; whether the server executed the request is not known" : "; " + whyNotSent());
        }
        RequestException.Fate fate = call.sent ? RequestException.Fate.UNKNOWN : RequestException.Fate.NOT_SENT;
        call.fail(new RequestException(errno, fate, 0, what));
        return true;
    }

    private String whyNotSent() {
        if (channel != null) {
            return "the request was not sent, since the server takes no more now";
        }
        String last = lastFailure == null ? "the server has not answered yet" : lastFailure.getMessage();
        return "the request was not sent, since no connection was made: " + last;
    }

    private static RequestException notSent(Errno errno, String what) {
        return new RequestException(errno, RequestException.Fate.NOT_SENT, 0, what);
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
        synchronized (this) {
            closed = true;
        }
        endAll(Errno.ECANCELED, "the client is closed");
        return channel();
    }

    private void endAll(Errno errno, String why) {
        List<Call> left;
        synchronized (this) {
            left = List.copyOf(open.values());
        }
        left.forEach(each -> end(each, errno, why));
    }

    @Override
    public String describe() {
        return "client of " + server;
    }
}
