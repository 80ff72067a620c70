// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * Answers of a service, by which each request is executed once, however often it arrives. Every failure of a handler is an answer, as
 * a reply is, since the request may have changed the state: its client decides whether it sends another one. A service whose state
 * survives its process keeps its cache with the state. While a request executes, its copies wait for the answer, also at another
 * server of the cache. A request that a server had not answered when its process ended is executed again by the next one: a handler
 * changes the state in one step.
 *
 * <p>Threads: any. Limits: the newest answers are kept, as many as was set, requests that were cancelled before they were executed
 * included; a copy of an older request is executed again.
 */
public final class ReplyCache {
    private final int max;
    private final LinkedHashMap<RequestToken, RequestFrame> answers = new LinkedHashMap<>();
    private final Map<RequestToken, Execution> executions = new LinkedHashMap<>();

    /**
     * @param server that executes the request
     * @param answer completes when it is kept
     */
    private record Execution(Object server, Request request, CompletionStage<RequestFrame> answer) {}

    /** @param max number of answers kept, at least 1: more than the clients' requests that may be repeated */
    public ReplyCache(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("a cache of " + max + " replies; at least 1 is required");
        }
        this.max = max;
    }

    /**
     * Returns the answer of a request: the earlier one, that of the execution, or a failure if the deadline has passed. The last one
     * is not kept: the deadline of all copies has passed. The stage fails, and nothing is kept, if the server executes nothing more.
     *
     * @param executes whether the server still executes requests
     * @param execution answers the request
     */
    CompletionStage<RequestFrame> once(Request request, Object server, BooleanSupplier executes, Runnable execution) {
        CompletionStage<RequestFrame> answer;
        synchronized (this) {
            RequestFrame known = answers.get(request.token());
            Optional<Execution> begun = live(request.token());
            if (known != null) {
                return CompletableFuture.completedStage(known);
            }
            if (begun.isPresent()) {
                return begun.get().answer;
            }
            if (request.remaining().isZero()) {
                return CompletableFuture.completedStage(RequestFrame.failure(
                        request.token(), 0, "the deadline passed before the request was executed"));
            }
            if (!executes.getAsBoolean()) {
                return CompletableFuture.failedStage(new IllegalStateException("the server has been drained"));
            }
            answer = request.answer().thenApply(made -> kept(request, made));
            executions.put(request.token(), new Execution(server, request, answer));
        }
        execution.run();
        return answer;
    }

    /** Returns the execution of a request whose process has not ended. */
    private Optional<Execution> live(RequestToken token) {
        return Optional.ofNullable(executions.get(token)).filter(begun -> begun.request.isLive());
    }

    /** Keeps the answer before it is sent, unless another server has begun to execute the request. */
    private synchronized RequestFrame kept(Request request, RequestFrame answer) {
        Execution begun = executions.get(request.token());
        if (begun != null && begun.request == request) {
            executions.remove(request.token());
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

    /** Tells the handler of a request. If it does not execute, it will not: the cancellation may have overtaken it. */
    void cancel(RequestToken token) {
        Optional<Execution> begun;
        synchronized (this) {
            begun = live(token);
            if (begun.isEmpty()) {
                keep(RequestFrame.failure(token, 0, "the request was cancelled"));
            }
        }
        begun.ifPresent(each -> each.request.cancel());
    }

    /** Returns the requests that a server executes. */
    synchronized List<Request> executing(Object server) {
        return executions.values().stream()
                .filter(each -> each.server == server)
                .map(Execution::request)
                .toList();
    }

    /** Forgets executions of processes that have ended. */
    synchronized void forgetEnded() {
        executions.values().removeIf(each -> !each.request.isLive());
    }
}
