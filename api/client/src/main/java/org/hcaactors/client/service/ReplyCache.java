// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Replies of a service, by which each request is executed once, however often it arrives. A service whose state survives its process
 * keeps its cache with the state. A request that a server had not answered when its process ended is executed again by the next one: a
 * handler changes the state in one step.
 *
 * <p>Threads: any. Limits: the newest replies are kept, as many as was set, and those of requests that execute; a copy of an older
 * request is executed again.
 */
public final class ReplyCache {
    private final int max;
    private final Map<RequestToken, Entry> replies = new LinkedHashMap<>();

    /** @param server that executes the request */
    private record Entry(Object server, CompletableFuture<ByteBuffer> reply) {}

    /** @param max number of replies kept, at least 1: more than the clients' requests that may be repeated */
    public ReplyCache(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("a cache of " + max + " replies; at least 1 is required");
        }
        this.max = max;
    }

    /** Returns the reply of a request: the earlier one, or that of the execution. */
    CompletionStage<ByteBuffer> once(
            RequestToken token, Object server, Supplier<CompletionStage<ByteBuffer>> execution) {
        CompletableFuture<ByteBuffer> reply = new CompletableFuture<>();
        synchronized (this) {
            Entry known = replies.get(token);
            if (known != null && (known.reply.isDone() || known.server == server)) {
                return known.reply;
            }
            replies.put(token, new Entry(server, reply));
            forget();
        }
        CompletableFuture.completedFuture(token)
                .thenCompose(begun -> execution.get())
                .thenApply(ByteBuffer::asReadOnlyBuffer)
                .whenComplete((body, failure) -> {
                    if (failure == null) {
                        reply.complete(body);
                    } else {
                        reply.completeExceptionally(failure);
                    }
                });
        return reply;
    }

    /** Requests that are being executed are not forgotten. */
    private void forget() {
        Iterator<Entry> oldest = replies.values().iterator();
        while (replies.size() > max && oldest.hasNext()) {
            if (oldest.next().reply.isDone()) {
                oldest.remove();
            }
        }
    }
}
