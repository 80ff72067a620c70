// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.HostProcess;

/**
 * A request that a server has received.
 *
 * <p>Threads: any. Limits: none.
 */
public final class Request {
    private final RequestToken token;
    private final InetSocketAddress peer;
    private final ByteBuffer body;
    private final HostProcess process;
    private final long deadline;
    private final CompletableFuture<RequestFrame> answer = new CompletableFuture<>();
    private final CompletableFuture<Void> cancelled = new CompletableFuture<>();
    private boolean timed;

    /** @param process of the server, whose clock counts from now on */
    Request(RequestFrame frame, InetSocketAddress peer, HostProcess process) {
        token = frame.token();
        this.peer = peer;
        body = frame.body().asReadOnlyBuffer();
        this.process = process;
        deadline = process.nanoTime() + frame.value();
    }

    /** Identity of the request. */
    public RequestToken token() {
        return token;
    }

    /** Address of the client. */
    public InetSocketAddress peer() {
        return peer;
    }

    /** Content, read-only. */
    public ByteBuffer body() {
        return body.duplicate();
    }

    /**
     * Time until the deadline of the client, counted from the arrival of the request, so that it ends a little later here than
     * there; zero if it has passed.
     */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadline - process.nanoTime()));
    }

    /**
     * Completes when the client waits no longer: it has cancelled the request, the deadline has passed, or the time of {@link
     * RequestServer#drain} is over. A handler may then end, in whatever way: the client ignores its answer. Otherwise, and after the end of the
     * handler, it need not complete.
     */
    public CompletionStage<Void> cancelled() {
        if (isFirst()) {
            CompletionStage<Void> timer = process.after(remaining());
            timer.thenRun(this::cancel);
            // It would keep the network busy until the deadline.
            answer.thenRun(() -> timer.toCompletableFuture().cancel(false));
        }
        return cancelled.minimalCompletionStage();
    }

    private synchronized boolean isFirst() {
        boolean first = !timed;
        timed = true;
        return first;
    }

    /** Whether the process that executes it has not ended. */
    boolean isLive() {
        return process.isAlive();
    }

    void cancel() {
        cancelled.complete(null);
    }

    /** The first answer is that of the request. A process that has ended answers nothing: the next one executes the request again. */
    void answer(RequestFrame with) {
        if (isLive()) {
            answer.complete(with);
        }
    }

    CompletionStage<RequestFrame> answer() {
        return answer;
    }
}
