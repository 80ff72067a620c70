// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.api.connection.ConnectionListener;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.stream.Subscribers;
import org.jspecify.annotations.Nullable;

/**
 * A service that answers requests. A request that arrives again, since its client has connected again, is not executed again: it gets
 * the same reply.
 *
 * <p>Threads: any; the handler runs on the callers' executor. Limits: those of its endpoint and of its {@link ReplyCache}.
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
     * Begins to serve; fails as {@link Endpoint#listen} does.
     *
     * @param handler executes a request; its reply has at most 17 bytes less than a message may have
     */
    public static CompletionStage<RequestServer> open(
            Endpoint endpoint,
            int port,
            int backlog,
            ReplyCache cache,
            Function<Request, CompletionStage<ByteBuffer>> handler) {
        RequestServer made = new RequestServer(endpoint, cache, handler);
        return endpoint.listen(port, backlog, made::opened).thenApply(made::listens);
    }

    private synchronized RequestServer listens(ConnectionListener made) {
        listener = made;
        return this;
    }

    private void opened(Channel channel) {
        channel.messages()
                .subscribe(Subscribers.forEach(
                        message -> RequestFrame.of(message).ifPresent(frame -> requested(channel, frame))));
    }

    private void requested(Channel channel, RequestFrame frame) {
        if (frame.kind() != RequestFrame.Kind.REQUEST) {
            return;
        }
        Request request = new Request(frame.token(), channel.peer(), frame.body());
        begins();
        cache.once(frame.token(), () -> handler.apply(request))
                .handle((body, failure) -> failure == null ? reply(frame, body) : failed(frame, failure))
                .thenCompose(answer -> channel.send(answer.encoded()))
                .whenComplete((sent, refused) -> ends());
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
        Throwable reason =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return RequestFrame.failure(of.token(), String.valueOf(reason.getMessage()), maxBody());
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

    @Override
    public void close() {
        ConnectionListener open;
        synchronized (this) {
            open = listener;
        }
        if (open != null) {
            open.close();
        }
        closeAsync();
    }

    @Override
    public String describe() {
        return "server of " + endpoint.describe();
    }
}
