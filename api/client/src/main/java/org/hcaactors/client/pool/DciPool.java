// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.handle.StageTracking;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RcWork;

/**
 * A pool of a few DC initiators for many targets: the caller names the target of a request, and a {@link DciPolicy} selects the
 * initiator. Requests to one target stay in the order in which they were submitted, including those that had to wait.
 *
 * <p>Errors: a failed request is answered with its completion when all requests after it on the initiator have returned.
 * Requests to the same target that were submitted before that are answered with WR_FLUSH_ERR, posted or not. Flushed requests
 * to other targets are posted again, up to {@value PoolMachine#MAX_POSTED} times in total: an initiator starts a request to
 * another target only when all earlier ones are acknowledged, so they were not executed. Requests that change a key do not
 * depend on their target and may have been executed before: if this is unknown, they are answered with WR_FLUSH_ERR, and so are
 * later requests to their target. The initiator returns to RESET and is opened again, up to {@value PoolMachine#MAX_REOPENINGS}
 * times. With streams only the stream is reset, unless the initiator itself is in error; until that is known, the initiator
 * gets no requests. If the initiator is in error, requests that its other streams may have executed are answered with
 * WR_FLUSH_ERR; later requests to other targets are posted again, and waiting requests remain. If no initiator is left,
 * requests fail with EIO. Other code must not modify the initiators of a pool, or post to them.
 *
 * <p>Threads: any; submitting never blocks. Stages complete where those of the initiators do, on the callers' executor unless
 * the request is refused at once. Limits: the send queues of its initiators; then {@link DciPoolDescription#maxWaiting}
 * requests wait. A completion queue that initiators share needs capacity for all their send queues.
 *
 * <p>Sources: UCX src/uct/ib/mlx5/dc/dc_mlx5_ep.h and dc_mlx5_ep.c (policies, recovery); the slides "Dynamically-Connected
 * Transport" (OFA 2018).
 */
public final class DciPool implements Handle {
    private final List<DcInitiator> initiators;
    private final DciPoolDescription description;
    private final PoolMachine machine;
    private final ReentrantLock lock = new ReentrantLock();
    private final CompletableFuture<Void> quiet = new CompletableFuture<>();
    private final boolean ownsInitiators;
    private CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean closing;

    private DciPool(List<DcInitiator> initiators, DciPoolDescription description, boolean ownsInitiators) {
        this.initiators = initiators;
        this.description = description;
        this.ownsInitiators = ownsInitiators;
        machine = new PoolMachine(
                PoolShape.initiators(initiators, description.policy()),
                LaneSelector.of(description.policy()),
                description.maxWaiting());
    }

    /**
     * Creates the initiators and opens them; EINVAL if the policy needs more of them, and for send queues of 0 work requests;
     * otherwise as {@link ProtectionDomain#createQp} and {@link DcInitiator#open}. If it fails, the initiators created so far
     * are closed.
     */
    public static CompletionStage<DciPool> create(ProtectionDomain domain, DciPoolDescription requested) {
        return PoolShape.open(domain, requested).thenApply(made -> new DciPool(made, requested, true));
    }

    /**
     * A pool of existing initiators, which are in RTS with nothing outstanding; closing the pool leaves them open. EINVAL for
     * no initiators, for fewer initiators or streams than the policy needs, and for an initiator that is listed twice, in
     * another state, or without a send queue.
     *
     * @param requested its connection attributes are used to open initiators again
     */
    public static DciPool of(List<DcInitiator> initiators, DciPoolDescription requested) {
        PoolShape.check(initiators, requested.policy());
        return new DciPool(List.copyOf(initiators), requested, false);
    }

    /**
     * Posts a signaled request, now or when an initiator is available, and returns its completion as a stage. Fails with
     * VerbsException: ENOMEM if too many requests wait, EINVAL if the pool is closed, EIO if no initiator is left, and as
     * {@link DcInitiator#submit}. Cancelling the stage does not cancel the request.
     */
    public CompletionStage<WorkCompletion> submit(DcAddress to, RcWork work) {
        PoolRequest request = new PoolRequest(to, work);
        try {
            apply(() -> {
                if (closing) {
                    throw VerbsException.invalid("the pool of " + initiators.size() + " initiators is closed");
                }
                return machine.submit(request);
            });
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
        track(() -> "a request of " + this, request.answer);
        return request.answer;
    }

    /** Registers a stage that may wait while the pool has work in progress. */
    private void track(Supplier<String> what, Future<?> stage) {
        StageTracking.track(initiators.getFirst(), what, this::isUnderWay, stage);
    }

    private boolean isUnderWay() {
        lock.lock();
        try {
            return machine.isUnderWay();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the statistics of the pool so far. */
    public PoolStatistics statistics() {
        lock.lock();
        try {
            return machine.statistics();
        } finally {
            lock.unlock();
        }
    }

    public DciPoolDescription description() {
        return description;
    }

    /**
     * Accepts no more requests, waits until all have been answered, and closes the initiators that the pool created; fails as
     * closing them does. A second call returns the same stage; if an initiator could not be closed, it tries again.
     */
    @Override
    public CompletionStage<Void> closeAsync() {
        boolean idle;
        CompletableFuture<Void> end;
        lock.lock();
        try {
            if (!closing || closed.isCompletedExceptionally()) {
                closed = ownsInitiators ? quiet.thenCompose(done -> PoolShape.close(initiators)) : quiet;
                track(() -> "closing " + this, closed);
            }
            closing = true;
            end = closed;
            idle = machine.isQuiet();
        } finally {
            lock.unlock();
        }
        if (idle) {
            quiet.complete(null);
        }
        return end.copy();
    }

    @Override
    public void close() {
        StageTracking.await(initiators.getFirst(), closeAsync());
    }

    @Override
    public String describe() {
        return toString();
    }

    /**
     * Passes one input to the machine. Posting is done under the lock, because requests must be posted in the machine's order.
     */
    private void apply(Supplier<PoolActions> input) {
        List<PoolActions> done = new ArrayList<>();
        List<Posted> posted = new ArrayList<>();
        boolean idle;
        lock.lock();
        try {
            Deque<PoolActions> todo = new ArrayDeque<>(List.of(input.get()));
            while (!todo.isEmpty()) {
                PoolActions step = todo.remove();
                done.add(step);
                step.posts.forEach(request -> post(request, posted, todo));
            }
            idle = closing && machine.isQuiet();
        } finally {
            lock.unlock();
        }
        posted.forEach(this::listen);
        done.forEach(this::recover);
        // last, because callers may run any code on completion
        done.forEach(step -> step.answers.forEach(DciPool::answer));
        if (idle) {
            quiet.complete(null);
        }
    }

    /** A request that its initiator accepted. */
    private record Posted(PoolRequest request, CompletableFuture<WorkCompletion> stage) {}

    private void post(PoolRequest request, List<Posted> posted, Deque<PoolActions> todo) {
        PoolLane lane = Objects.requireNonNull(request.lane, "no lane was chosen for the request");
        CompletableFuture<WorkCompletion> stage = take(request, lane);
        if (stage.isCompletedExceptionally()) {
            todo.add(machine.rejected(new PoolAnswer.Failed(request, stage.exceptionNow())));
        } else {
            machine.accepted(request);
            posted.add(new Posted(request, stage));
        }
    }

    /** An exception counts as a refusal of this request only, so that others are not blocked. */
    private CompletableFuture<WorkCompletion> take(PoolRequest request, PoolLane lane) {
        DcInitiator initiator = initiators.get(lane.initiator.index);
        try {
            return initiator.submit(request.address, lane.stream, request.work).toCompletableFuture();
        } catch (RuntimeException refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    private void listen(Posted posted) {
        PoolRequest request = posted.request();
        posted.stage()
                .<PoolAnswer>thenApply(completion -> new PoolAnswer.Completed(request, completion))
                .exceptionally(reason -> new PoolAnswer.Failed(request, reason(reason)))
                .thenAccept(outcome -> apply(() -> machine.completed(outcome)));
    }

    private static Throwable reason(Throwable reason) {
        return reason instanceof CompletionException && reason.getCause() != null ? reason.getCause() : reason;
    }

    private void recover(PoolActions step) {
        step.resets.forEach(this::reset);
        step.reopenings.forEach(this::reopen);
    }

    /** Only a query of the state shows whether the error moved the initiator itself to error. */
    private void reset(PoolLane lane) {
        DcInitiator initiator = initiators.get(lane.initiator.index);
        begun(initiator::query)
                .thenCompose(now -> now.state() == QpState.RTS
                        ? initiator.resetStream(lane.stream).thenApply(done -> true)
                        : CompletableFuture.completedStage(false))
                .exceptionally(refusal -> false)
                .thenAccept(succeeded -> apply(() -> succeeded ? machine.resetDone(lane) : machine.resetFailed(lane)));
    }

    private void reopen(PoolLane.PoolInitiator pooled) {
        DcInitiator initiator = initiators.get(pooled.index);
        begun(() -> initiator.modify(QpModify.to(QpState.RESET)))
                .thenCompose(reset -> initiator.open(description.attributes()))
                .handle((opened, refusal) -> refusal == null)
                .thenAccept(succeeded -> apply(() -> machine.reopened(pooled, succeeded)));
    }

    /** An exception counts as a failure too; otherwise the recovery would never end. */
    private static <T> CompletionStage<T> begun(Supplier<CompletionStage<T>> verb) {
        try {
            return verb.get();
        } catch (RuntimeException refusal) {
            return CompletableFuture.failedStage(refusal);
        }
    }

    private static void answer(PoolAnswer outcome) {
        switch (outcome) {
            case PoolAnswer.Completed(PoolRequest request, WorkCompletion completion) ->
                request.answer.complete(completion);
            case PoolAnswer.Failed(PoolRequest request, Throwable reason) ->
                request.answer.completeExceptionally(reason);
        }
    }

    @Override
    public String toString() {
        return description.toString();
    }
}
