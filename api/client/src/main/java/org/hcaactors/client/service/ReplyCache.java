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
 * keeps its cache with the state.
 *
 * <p>Threads: any. Limits: the newest replies are kept, as many as was set; a copy of an older request is executed again.
 */
public final class ReplyCache {
    private final int max;
    private final Map<RequestToken, CompletableFuture<ByteBuffer>> replies = new LinkedHashMap<>();

    /** @param max number of replies kept, at least 1: more than the clients' requests that may be repeated */
    public ReplyCache(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("a cache of " + max + " replies; at least 1 is required");
        }
        this.max = max;
    }

    /** Returns the reply of a request: the earlier one, or that of the execution. */
    CompletionStage<ByteBuffer> once(RequestToken token, Supplier<CompletionStage<ByteBuffer>> execution) {
        CompletableFuture<ByteBuffer> reply = new CompletableFuture<>();
        synchronized (this) {
            CompletableFuture<ByteBuffer> known = replies.putIfAbsent(token, reply);
            if (known != null) {
                return known;
            }
            forget();
        }
        executed(execution).whenComplete((body, failure) -> {
            if (failure == null) {
                reply.complete(body.asReadOnlyBuffer());
            } else {
                reply.completeExceptionally(failure);
            }
        });
        return reply;
    }

    private static CompletionStage<ByteBuffer> executed(Supplier<CompletionStage<ByteBuffer>> execution) {
        try {
            return execution.get();
        } catch (RuntimeException failed) {
            return CompletableFuture.failedStage(failed);
        }
    }

    /** Requests that are being executed are not forgotten. */
    private void forget() {
        Iterator<CompletableFuture<ByteBuffer>> oldest = replies.values().iterator();
        while (replies.size() > max && oldest.hasNext()) {
            if (oldest.next().isDone()) {
                oldest.remove();
            }
        }
    }
}
