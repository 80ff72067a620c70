// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.stream.Subscribers;
import org.jspecify.annotations.Nullable;

/**
 * A service that answers requests. A request that arrives again, since its client has connected again, is not executed again: it gets
 * the same answer. One whose deadline has passed or whose client has cancelled it before its execution begins is not executed; nor is
 * one whose connection ends before: its client sends it again.
 *
 * <p>Threads: any; the handler runs on the callers' executor. Limits: {@link EndpointDescription#window}
 * requests of a channel execute at a time; further ones wait in the endpoint's receive buffers. A handler that does not end when {@link
 * Request#cancelled} completes keeps one of these places until its channel ends.
 */
public final class RequestServer implements Handle {
    /** Time for the answers at the end of a drain, which a client may be too slow to take. */
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

    private final Endpoint endpoint;
    private final ReplyCache cache;
    private final Function<Request, CompletionStage<ByteBuffer>> handler;
    private final Set<Intake> intakes = new LinkedHashSet<>();
    private @Nullable ConnectionListener listener;
    private int unanswered;
    private boolean closing;

    /** Completes when the server is closing and no request is without an answer; a later request begins another one. */
    private CompletableFuture<Void> idle = new CompletableFuture<>();

    /** Requests that arrive are left to the next server. */
    private boolean draining;

    /** Nothing is executed any more. */
    private boolean drained;

    private RequestServer(Endpoint endpoint, ReplyCache cache, Function<Request, CompletionStage<ByteBuffer>> handler) {
        this.endpoint = endpoint;
        this.cache = cache;
        this.handler = handler;
    }

    /**
     * Begins to serve; fails as {@link Endpoint#listen} does, and with EINVAL if the endpoint's messages have no room for a request.
     *
     * @param handler executes a request; its reply has at most {@link EndpointDescription#maxBodyBytes} bytes. A {@link
     *     ServiceException} gives the client a code and a text, any other exception its text
     */
    public static CompletionStage<RequestServer> open(
            Endpoint endpoint,
            int port,
            int backlog,
            ReplyCache cache,
            Function<Request, CompletionStage<ByteBuffer>> handler) {
        try {
            RequestClient.checkSize(endpoint);
        } catch (VerbsException tooSmall) {
            return CompletableFuture.failedStage(tooSmall);
        }
        cache.forgetEnded();
        RequestServer made = new RequestServer(endpoint, cache, handler);
        return endpoint.listen(port, backlog, made::opened).thenApply(made::listens);
    }

    private synchronized RequestServer listens(ConnectionListener made) {
        listener = made;
        return this;
    }

    private void opened(MessageChannel channel) {
        Intake intake = new Intake(channel);
        synchronized (this) {
            intakes.add(intake);
        }
        channel.ended().thenRun(() -> left(intake));
        channel.messages().subscribe(Subscribers.forEach(intake::arrived));
        if (isDrained()) {
            channel.closeAsync();
        }
    }

    private void left(Intake intake) {
        synchronized (this) {
            intakes.remove(intake);
        }
        intake.drop();
    }

    private synchronized List<Intake> intakes() {
        return List.copyOf(intakes);
    }

    /** Requests of one channel. As many as its window execute; further ones wait in receive buffers. */
    private final class Intake {
        private final MessageChannel channel;
        private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
        private int executing;

        /** A thread begins requests; others leave it to that one, since requests keep their order. */
        private boolean beginning;

        private record Waiting(Request request, Message message) {}

        Intake(MessageChannel channel) {
            this.channel = channel;
        }

        /** A CANCEL must not wait behind requests, so all messages are read as they arrive. */
        void arrived(Message message) {
            Optional<RequestFrame> frame = RequestFrame.of(message.content());
            if (frame.filter(each -> each.kind() == RequestFrame.Kind.REQUEST).isPresent() && counted()) {
                Request request = new Request(frame.get(), channel.peer(), endpoint.process());
                synchronized (this) {
                    waiting.add(new Waiting(request, message));
                }
                begin();
                return;
            }
            message.close();
            frame.filter(each -> each.kind() == RequestFrame.Kind.CANCEL)
                    .ifPresent(cancel -> cache.cancel(cancel.token()));
        }

        private void begin() {
            synchronized (this) {
                if (beginning) {
                    return;
                }
                beginning = true;
            }
            while (beginOne()) {}
        }

        private boolean beginOne() {
            Waiting next;
            synchronized (this) {
                next = executing < endpoint.description().window() ? waiting.poll() : null;
                if (next == null) {
                    beginning = false;
                    return false;
                }
                executing++;
            }
            next.message.close();
            execute(next.request);
            return true;
        }

        private void execute(Request request) {
            int max = endpoint.description().maxBodyBytes();
            cache.once(request, RequestServer.this, RequestServer.this::executes, () -> run(request))
                    .thenCompose(answer -> channel.send(() -> Optional.of(answer.encoded(max))))
                    .whenComplete((sent, refused) -> {
                        synchronized (this) {
                            executing--;
                        }
                        answered(1);
                        begin();
                    });
        }

        /** Requests that wait are not executed: their client sends them again. */
        void drop() {
            List<Waiting> dropped;
            synchronized (this) {
                dropped = List.copyOf(waiting);
                waiting.clear();
            }
            dropped.forEach(each -> each.message.close());
            answered(dropped.size());
        }
    }

    private void run(Request request) {
        CompletableFuture.completedFuture(request)
                .thenCompose(handler)
                .thenApply(ByteBuffer::asReadOnlyBuffer)
                .handle((body, failure) -> failure == null ? reply(request, body) : failed(request, failure))
                .thenAccept(request::answer);
    }

    private RequestFrame reply(Request of, ByteBuffer body) {
        int max = endpoint.description().maxBodyBytes();
        return body.remaining() <= max
                ? new RequestFrame(RequestFrame.Kind.REPLY, of.token(), 0, body)
                : RequestFrame.failure(
                        of.token(), 0, "the reply has " + body.remaining() + " bytes; at most " + max + " are allowed");
    }

    private static RequestFrame failed(Request of, Throwable failure) {
        Throwable reason = StageFailure.itself(failure);
        int code = reason instanceof ServiceException answer ? answer.code() : 0;
        String text = reason.getMessage() == null ? reason.getClass().getName() : reason.getMessage();
        return RequestFrame.failure(of.token(), code, text);
    }

    private synchronized boolean isDrained() {
        return drained;
    }

    private boolean executes() {
        return !isDrained();
    }

    private synchronized boolean counted() {
        if (draining) {
            return false;
        }
        if (closing && unanswered == 0) {
            idle = new CompletableFuture<>();
        }
        unanswered++;
        return true;
    }

    private void answered(int requests) {
        Optional<CompletableFuture<Void>> over;
        synchronized (this) {
            unanswered -= requests;
            over = closing && unanswered == 0 ? Optional.of(idle) : Optional.empty();
        }
        over.ifPresent(all -> all.complete(null));
    }

    private synchronized CompletableFuture<Void> idle() {
        return idle;
    }

    /**
     * Takes no more connections, and completes when all requests that have arrived are answered, however long their handlers take;
     * {@link #drain} has a limit. Requests that arrive later on open channels are answered, too.
     */
    @Override
    public CompletionStage<Void> closeAsync() {
        ConnectionListener open;
        CompletableFuture<Void> all;
        boolean now;
        synchronized (this) {
            closing = true;
            open = listener;
            all = idle;
            now = unanswered == 0;
        }
        if (now) {
            all.complete(null);
        }
        CompletionStage<Void> closed = open == null ? CompletableFuture.completedStage(null) : open.closeAsync();
        return closed.thenCompose(done -> all);
    }

    /**
     * Ends the server. It takes no more connections and executes no requests that arrive from now on. When those that have arrived
     * are answered, or after the time, it closes its channels, and the stage completes: at most a second later, which is for the last
     * answers. Clients connect again and send what has no answer to the next server.
     *
     * <p>After the time, {@link Request#cancelled} completes for handlers that still run, and their requests fail; this failure is the
     * answer of all copies, and what the handlers return later is ignored.
     *
     * @param time from zero to 24 days; IllegalArgumentException at once for another time, IllegalStateException if the network has
     *     no timer left
     */
    public CompletionStage<Void> drain(Duration time) {
        CompletionStage<Void> timer = endpoint.process().after(time);
        synchronized (this) {
            draining = true;
        }
        return first(closeAsync(), timer)
                .thenCompose(over -> {
                    cut();
                    return first(idle(), endpoint.process().after(LAST_ANSWERS));
                })
                .thenCompose(over -> CompletableFuture.allOf(intakes().stream()
                        .map(each -> each.channel.closeAsync().toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new)));
    }

    /** Completes with the stage, or when the timer ends. */
    private static CompletionStage<Void> first(CompletionStage<Void> stage, CompletionStage<Void> timer) {
        return CompletableFuture.anyOf(stage.toCompletableFuture(), timer.toCompletableFuture())
                .handle((done, cancelled) -> {
                    timer.toCompletableFuture().cancel(false);
                    return null;
                });
    }

    private void cut() {
        synchronized (this) {
            drained = true;
        }
        intakes().forEach(Intake::drop);
        for (Request each : cache.executing(this)) {
            // Before its handler learns of it, which may answer.
            each.answer(RequestFrame.failure(
                    each.token(), 0, "the server was drained before the request was executed completely"));
            each.cancel();
        }
    }

    /** Takes no more connections; does not wait for answers. */
    @Override
    public void close() {
        ConnectionListener open;
        synchronized (this) {
            open = listener;
        }
        closeAsync();
        if (open != null) {
            open.close();
        }
    }

    @Override
    public String describe() {
        return "server of " + endpoint.describe();
    }
}
