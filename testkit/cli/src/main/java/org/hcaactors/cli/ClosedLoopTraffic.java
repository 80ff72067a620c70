// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.cli.gateway.Peak;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Ends;

/**
 * Closed-loop traffic of one queue pair: each completion posts the next request, and at the other end each received message
 * posts a new receive.
 */
final class ClosedLoopTraffic {
    private static final int RECEIVES = 256;

    private final End left;
    private final End right;
    private final WorkRequest request;
    private final Receive receive;
    private volatile CompletableFuture<Long> finished = new CompletableFuture<>();
    private volatile long completed;
    private long total;
    private long toPost;
    private long toComplete;
    private long[] times = {};
    private long postedAt;
    private Peak peak = new Peak(0, 0);

    ClosedLoopTraffic(Ends<?> ends, Perf.Verb verb, int bytes, boolean onAdapterThread) {
        left = ends.a();
        right = ends.b();
        RemoteAddress remote = right.remote(0);
        request = switch (verb) {
            case SEND -> Send.of(1, left.slice(0, bytes)).withSignaled();
            case WRITE -> RdmaWrite.of(1, left.slice(0, bytes), remote).withSignaled();
            case READ -> RdmaRead.of(1, left.slice(0, bytes), remote).withSignaled();
            case ATOMIC -> FetchAdd.of(1, left.slice(0, bytes), remote, 1).withSignaled();
        };
        receive = Receive.of(2, right.slice(0, bytes + right.transport().headroomBytes()));
        subscribe(left.sendCq(), onAdapterThread, Subscribers.forEach(this::done, this::broken));
        if (verb == Perf.Verb.SEND) {
            subscribe(right.recvCq(), onAdapterThread, Subscribers.forEach(this::arrived, this::broken));
            for (int i = 0; i < RECEIVES; i++) {
                right.postReceive(receive);
            }
        }
    }

    /** Flushed receives at the end are not replaced. */
    private void arrived(WorkCompletion completion) {
        if (completion.isSuccess()) {
            right.postReceive(receive);
        }
    }

    private static void subscribe(
            CompletionQueue queue, boolean onAdapterThread, Flow.Subscriber<WorkCompletion> subscriber) {
        queue.completions(onAdapterThread ? Delivery.ADAPTER_THREAD : Delivery.CALLERS)
                .subscribe(subscriber);
    }

    /** Sends {@code count} requests, with at most {@code window} outstanding. */
    CompletionStage<Long> run(long count, int window) {
        times = new long[0];
        return start(count, window);
    }

    /** Sends one request after the other, and times each from its posting to its completion. */
    CompletionStage<Long> runTimed(int count) {
        times = new long[count];
        return start(count, 1);
    }

    private CompletionStage<Long> start(long count, int window) {
        finished = new CompletableFuture<>();
        completed = 0;
        total = count;
        peak = new Peak(count, System.nanoTime());
        long first = Math.min(window, count);
        toPost = count - first;
        toComplete = count;
        CompletableFuture<Long> end = finished;
        for (long i = 0; i < first; i++) {
            post();
        }
        return end;
    }

    private void post() {
        postedAt = times.length > 0 ? System.nanoTime() : 0;
        left.post(request);
    }

    private void done(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            broken(new IllegalStateException("a request ended with " + completion.status()));
            return;
        }
        long now = completed;
        if (times.length > 0) {
            times[(int) now] = System.nanoTime() - postedAt;
        }
        completed = now + 1;
        if (peak.ends(now)) {
            peak.completed(now, System.nanoTime());
        }
        if (toPost > 0) {
            long number = total - toPost;
            if (peak.begins(number)) {
                peak.posted(number, System.nanoTime());
            }
            toPost--;
            post();
        }
        if (--toComplete == 0) {
            finished.complete(completed);
        }
    }

    private void broken(Throwable reason) {
        finished.completeExceptionally(reason);
    }

    /** Returns the peak rate of the last run in messages per nanosecond; 0 if the run was too short to be divided. */
    double peakRate() {
        return peak.rate();
    }

    /** Returns the completed requests of the current run. */
    long completed() {
        return completed;
    }

    /** Returns the latency of each request of the last timed run, in nanoseconds. */
    long[] times() {
        return times;
    }
}
