// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Function;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A service that answers requests. A request that arrives again, since its client has connected again, is not executed again: it gets
 * the same reply.
 *
 * <p>Threads: any; the handler runs on the callers' executor. Limits: {@link EndpointDescription#window}
 * requests of a channel execute at a time; further ones wait in the endpoint's receive buffers.
 */
public final class RequestServer implements Handle {
    private final Endpoint endpoint;
    private final ReplyCache cache;
    private final Function<Request, CompletionStage<ByteBuffer>> handler;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private @Nullable ConnectionListener listener;
    private int executing;
    private boolean draining;

    private RequestServer(Endpoint endpoint, ReplyCache cache, Function<Request, CompletionStage<ByteBuffer>> handler) {
        this.endpoint = endpoint;
        this.cache = cache;
        this.handler = handler;
    }

    /**
     * Begins to serve; fails as {@link Endpoint#listen} does, and with EINVAL if the endpoint's messages have no room for a request.
     *
     * @param handler executes a request; its reply has at most 21 bytes less than a message may have
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
        RequestServer made = new RequestServer(endpoint, cache, handler);
        return endpoint.listen(port, backlog, made::opened).thenApply(made::listens);
    }

    private synchronized RequestServer listens(ConnectionListener made) {
        listener = made;
        return this;
    }

    private void opened(MessageChannel channel) {
        channel.messages().subscribe(new Intake(channel));
    }

    /** Takes as many requests of a channel as its window; further ones wait in receive buffers. */
    private final class Intake implements Flow.Subscriber<Message> {
        private final MessageChannel channel;
        private Flow.@Nullable Subscription subscription;

        Intake(MessageChannel channel) {
            this.channel = channel;
        }

        @Override
        public void onSubscribe(Flow.Subscription made) {
            subscription = made;
            made.request(endpoint.description().window());
        }

        @Override
        public void onNext(Message message) {
            RequestFrame.of(message)
                    .filter(frame -> frame.kind() == RequestFrame.Kind.REQUEST)
                    .ifPresentOrElse(frame -> requested(channel, frame, this::next), this::next);
        }

        private void next() {
            Objects.requireNonNull(subscription).request(1);
        }

        @Override
        public void onError(Throwable reason) {
            channel.closeAsync();
        }

        @Override
        public void onComplete() {}
    }

    private void requested(MessageChannel channel, RequestFrame frame, Runnable answered) {
        Request request = new Request(frame.token(), channel.peer(), frame.body());
        begins();
        cache.once(frame.token(), this, () -> handler.apply(request))
                .handle((body, failure) -> failure == null ? reply(frame, body) : failed(frame, failure))
                .thenCompose(answer -> channel.send(answer.encoded()))
                .whenComplete((sent, refused) -> {
                    ends();
                    answered.run();
                });
    }

    private RequestFrame reply(RequestFrame of, ByteBuffer body) {
        int max = maxBody();
        return body.remaining() <= max
                ? new RequestFrame(RequestFrame.Kind.REPLY, of.token(), body)
                : RequestFrame.failure(
                        of.token(),
                        "the reply has " + body.remaining() + " bytes; at most " + max + " are allowed",
                        max);
    }

    private RequestFrame failed(RequestFrame of, Throwable failure) {
        String why = String.valueOf(StageFailure.itself(failure).getMessage());
        return RequestFrame.failure(of.token(), why, maxBody());
    }

    private int maxBody() {
        return endpoint.description().maxMessageBytes() - RequestFrame.HEADER;
    }

    private synchronized void begins() {
        executing++;
    }

    private void ends() {
        boolean last;
        synchronized (this) {
            executing--;
            last = draining && executing == 0;
        }
        if (last) {
            idle.complete(null);
        }
    }

    /**
     * Takes no more connections, and completes when all requests that have arrived are answered. Requests that arrive later on
     * open channels are answered, too.
     */
    @Override
    public CompletionStage<Void> closeAsync() {
        ConnectionListener open;
        boolean none;
        synchronized (this) {
            draining = true;
            none = executing == 0;
            open = listener;
        }
        if (none) {
            idle.complete(null);
        }
        CompletionStage<Void> closed = open == null ? CompletableFuture.completedStage(null) : open.closeAsync();
        return closed.thenCompose(done -> idle);
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
