// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers of a service, by which each request is executed once, however often it arrives. Every failure of a handler is an answer, as
 * a reply is, since the request may have changed the state: its client decides whether it sends another one. A service whose state
 * survives its process keeps its cache with the state. A request that a server had not answered when its process ended is executed
 * again by the next one: a handler changes the state in one step.
 *
 * <p>Threads: any. Limits: the newest answers are kept, as many as was set, requests that were cancelled before they were executed
 * included; a copy of an older request is executed again.
 */
public final class ReplyCache {
    private final int max;
    private final LinkedHashMap<RequestToken, RequestFrame> answers = new LinkedHashMap<>();
    private final Map<RequestToken, Execution> executions = new LinkedHashMap<>();

    /** @param server that executes the request */
    private record Execution(Object server, Request request) {}

    /** @param max number of answers kept, at least 1: more than the clients' requests that may be repeated */
    public ReplyCache(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("a cache of " + max + " replies; at least 1 is required");
        }
        this.max = max;
    }

    /**
     * Returns the answer of a request: the earlier one, that of the execution, or a failure if the deadline has passed. The last one
     * is not kept: the deadline of all copies has passed.
     *
     * @param execution answers the request
     */
    CompletionStage<RequestFrame> once(Request request, Object server, Runnable execution) {
        Execution mine = new Execution(server, request);
        synchronized (this) {
            RequestFrame known = answers.get(request.token());
            Execution begun = executions.get(request.token());
            if (known != null) {
                return CompletableFuture.completedStage(known);
            }
            if (begun != null && begun.server == server) {
                return begun.request.answer();
            }
            if (request.remaining().isZero()) {
                return CompletableFuture.completedStage(RequestFrame.failure(
                        request.token(), 0, "the deadline passed before the request was executed"));
            }
            executions.put(request.token(), mine);
        }
        CompletionStage<RequestFrame> answer = request.answer().thenApply(made -> kept(mine, made));
        execution.run();
        return answer;
    }

    /** Keeps the answer before it is sent, unless another server has begun to execute the request. */
    private synchronized RequestFrame kept(Execution execution, RequestFrame answer) {
        if (executions.remove(answer.token(), execution)) {
            keep(answer);
        }
        return answer;
    }

    private void keep(RequestFrame answer) {
        answers.putIfAbsent(answer.token(), answer);
        if (answers.size() > max) {
            answers.pollFirstEntry();
        }
    }

    /** Tells the handler of a request. If this server does not execute it, it will not: the cancellation may have overtaken it. */
    void cancel(RequestToken token, Object server) {
        Execution begun;
        synchronized (this) {
            begun = executions.get(token);
            if (begun == null || begun.server != server) {
                keep(RequestFrame.failure(token, 0, "the request was cancelled"));
            }
        }
        if (begun != null) {
            begun.request.cancel();
        }
    }

    /** Returns the requests that a server executes. */
    synchronized List<Request> executing(Object server) {
        return executions.values().stream()
                .filter(each -> each.server == server)
                .map(Execution::request)
                .toList();
    }

    /** Forgets executions of servers that are gone; if the deadline has passed, no copy is executed. */
    synchronized void forgetExpired() {
        executions.values().removeIf(each -> each.request.remaining().isZero());
    }
}
