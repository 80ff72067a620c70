// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A request of a {@link RequestClient} that can be cancelled.
 *
 * <p>Threads: any. Limits: none.
 */
public final class Call {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final RequestClient client;
    private final CompletableFuture<ByteBuffer> reply = new CompletableFuture<>();
    final long number;

    /** Empty after the end, since the call may still wait in a channel's queue; guarded by the client. */
    private ByteBuffer body;

    /** Time of the process's clock. */
    final long deadline;

    /** Whether a copy was sent; guarded by the client. */
    boolean sent;

    /** Channel to which it was given last, and no second time; guarded by the client. */
    private @Nullable MessageChannel channel;

    /** @param number 0 if the client refuses the request */
    Call(RequestClient client, long number, ByteBuffer body, long deadline) {
        this.client = client;
        this.number = number;
        this.body = body;
        this.deadline = deadline;
    }

    static Call refused(RequestClient by, RuntimeException reason) {
        Call refused = new Call(by, 0, NOTHING, 0);
        refused.fail(reason);
        return refused;
    }

    /** Completes with the reply, read-only, or fails as {@link RequestClient#request} says. */
    public CompletionStage<ByteBuffer> reply() {
        return reply.minimalCompletionStage();
    }

    /**
     * Ends the request: without a reply so far, it fails with ECANCELED, and its fate says whether it was sent. A server that is
     * connected receives a message: it does not execute the request, or {@link Request#cancelled} completes there. Without a
     * connection, or if too many messages wait to be sent, that stage completes at the deadline.
     */
    public void cancel() {
        client.cancel(this);
    }

    ByteBuffer body() {
        return body;
    }

    /** Returns whether this is another channel than the last one. */
    boolean isNewTo(MessageChannel next) {
        boolean isNew = channel != next;
        channel = next;
        return isNew;
    }

    void dropBody() {
        body = NOTHING;
    }

    void complete(ByteBuffer with) {
        reply.complete(with);
    }

    void fail(RuntimeException reason) {
        reply.completeExceptionally(reason);
    }
}
