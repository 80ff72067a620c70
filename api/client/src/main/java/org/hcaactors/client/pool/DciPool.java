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
import org.hcaactors.api.handle.StageTracking;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RcWork;

/**
 * A few initiators that ask many targets: a caller says whom to ask, and a {@link DciPolicy} which initiator asks. Requests to one
 * target stay in the order in which they were submitted, those that had to wait, too.
 *
 * <p>Errors: a request that fails is answered with its completion, as soon as all behind it have come back; those to the same
 * target that were submitted before that with WR_FLUSH_ERR, also where they were not posted yet. Requests to other targets
 * that were flushed with it are sent again, up to {@value PoolMachine#MOST_POSTED} times: an initiator begins one to another
 * target only when all before it are acknowledged, so they were not carried out. A change of a key asks nothing of its target, and
 * may be made before: where nobody knows, it is answered with WR_FLUSH_ERR, and so is what was submitted to its target behind it.
 * The initiator goes to RESET and is opened again, up to {@value PoolMachine#MOST_REOPENINGS} times; a stream is reset, and its initiator is only if it is in error itself.
 * Until that is known, the initiator is given nothing. Where it is, what its other streams were at may have been carried out
 * and is answered with WR_FLUSH_ERR; what stood behind that to other targets is sent again, and what waited stays.
 * When none is left, requests fail with EIO. Nobody else may change the initiators of a pool, or post to them.
 *
 * <p>Threads: any; submitting never waits. Stages complete where those of the initiators do, on the callers' executor unless the
 * request is refused at once. Limits: the send queues of its initiators; then {@link DciPoolDescription#maxWaiting} requests wait.
 * Completion queues that are shared need room for all of their send queues.
 *
 * <p>Sources: UCX src/uct/ib/mlx5/dc/dc_mlx5_ep.h and dc_mlx5_ep.c (policies, recovery); the slides "Dynamically-Connected
 * Transport" (OFA 2018).
 */
public final class DciPool {
    private final List<DcInitiator> initiators;
    private final DciPoolDescription description;
    private final PoolMachine machine;
    private final ReentrantLock lock = new ReentrantLock();
    private final CompletableFuture<Void> quiet = new CompletableFuture<>();
    private final boolean ownsThem;
    private CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean closing;

    private DciPool(List<DcInitiator> initiators, DciPoolDescription description, boolean ownsThem) {
        this.initiators = initiators;
        this.description = description;
        this.ownsThem = ownsThem;
        machine = new PoolMachine(
                PoolShape.members(initiators, description.policy()),
                LaneSelector.of(description.policy()),
                description.maxWaiting());
    }

    /**
     * Makes the initiators and opens them; EINVAL for a policy that wants more of them, and for send queues of 0 work requests; else
     * what {@link ProtectionDomain#createQp} and {@link DcInitiator#open} refuse. Where it fails, those that were made are closed.
     */
    public static CompletionStage<DciPool> create(ProtectionDomain domain, DciPoolDescription requested) {
        return PoolShape.open(domain, requested).thenApply(made -> new DciPool(made, requested, true));
    }

    /**
     * A pool of initiators that are in RTS, with nothing outstanding; closing it leaves them open. EINVAL for none, for fewer than
     * the policy wants or with fewer streams, and for one that is there twice, in another state, or without a send queue.
     *
     * @param requested its terms are those by which they are opened again
     */
    public static DciPool of(List<DcInitiator> initiators, DciPoolDescription requested) {
        PoolShape.check(initiators, requested.policy());
        return new DciPool(List.copyOf(initiators), requested, false);
    }

    /**
     * Posts it signaled, now or when an initiator is ready, and gives its completion. Fails with VerbsException: ENOMEM where too many
     * wait, EINVAL when the pool is closed, EIO when it has no initiator any more, and as {@link DcInitiator#submit} fails; with
     * what that throws, if it does.
     * Cancelling the stage un-posts nothing.
     */
    public CompletionStage<WorkCompletion> submit(DcAddress to, RcWork work) {
        PoolRequest request = new PoolRequest(to, work);
        try {
            tell(() -> {
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

    /** It may wait while something of the pool is under way. */
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

    /** What it did until now. */
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
     * Takes no more requests, waits until all have been answered, and closes the initiators that it made; fails as closing them does.
     * Closing again gives the same, but where an initiator refused: then it is asked again.
     */
    public CompletionStage<Void> closeAsync() {
        boolean over;
        CompletableFuture<Void> end;
        lock.lock();
        try {
            if (!closing || closed.isCompletedExceptionally()) {
                closed = ownsThem ? quiet.thenCompose(done -> PoolShape.close(initiators)) : quiet;
                track(() -> "closing " + this, closed);
            }
            closing = true;
            end = closed;
            over = machine.isQuiet();
        } finally {
            lock.unlock();
        }
        if (over) {
            quiet.complete(null);
        }
        return end.copy();
    }

    /** What the machine is told, done under the lock as far as its order counts: requests are posted in the order it says. */
    private void tell(Supplier<PoolActions> input) {
        List<PoolActions> done = new ArrayList<>();
        List<Posted> posted = new ArrayList<>();
        boolean over;
        lock.lock();
        try {
            Deque<PoolActions> todo = new ArrayDeque<>(List.of(input.get()));
            while (!todo.isEmpty()) {
                PoolActions step = todo.remove();
                done.add(step);
                step.posts.forEach(request -> post(request, posted, todo));
            }
            over = closing && machine.isQuiet();
        } finally {
            lock.unlock();
        }
        posted.forEach(this::listen);
        done.forEach(this::mend);
        // last, as callers may do what they like on hearing it
        done.forEach(step -> step.answers.forEach(DciPool::answer));
        if (over) {
            quiet.complete(null);
        }
    }

    /** A request that its initiator took. */
    private record Posted(PoolRequest request, CompletableFuture<WorkCompletion> stage) {}

    private void post(PoolRequest request, List<Posted> posted, Deque<PoolActions> todo) {
        PoolLane lane = Objects.requireNonNull(request.lane, "the machine chose one");
        CompletableFuture<WorkCompletion> stage = take(request, lane);
        if (stage.isCompletedExceptionally()) {
            todo.add(machine.notTaken(new PoolAnswer.Failed(request, stage.exceptionNow())));
        } else {
            machine.taken(request);
            posted.add(new Posted(request, stage));
        }
    }

    /** What it throws is its refusal: the others' requests are not to wait for this one. */
    private CompletableFuture<WorkCompletion> take(PoolRequest request, PoolLane lane) {
        DcInitiator initiator = initiators.get(lane.member.index);
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
                .thenAccept(outcome -> tell(() -> machine.ended(outcome)));
    }

    private static Throwable reason(Throwable reason) {
        return reason instanceof CompletionException && reason.getCause() != null ? reason.getCause() : reason;
    }

    private void mend(PoolActions step) {
        step.resets.forEach(this::reset);
        step.reopenings.forEach(this::reopen);
    }

    /** Only the state as the adapter has it tells whether the error was one too many for the initiator. */
    private void reset(PoolLane lane) {
        DcInitiator initiator = initiators.get(lane.member.index);
        begun(initiator::query)
                .thenCompose(now -> now.state() == QpState.RTS
                        ? initiator.resetStream(lane.stream).thenApply(done -> true)
                        : CompletableFuture.completedStage(false))
                .exceptionally(refusal -> false)
                .thenAccept(well -> tell(() -> well ? machine.resetDone(lane) : machine.resetInVain(lane)));
    }

    private void reopen(PoolLane.Member member) {
        DcInitiator initiator = initiators.get(member.index);
        begun(() -> initiator.modify(QpModify.to(QpState.RESET)))
                .thenCompose(reset -> initiator.open(description.attributes()))
                .handle((opened, refusal) -> refusal == null)
                .thenAccept(well -> tell(() -> machine.reopened(member, well)));
    }

    /** What it throws is its refusal, too: whoever waits for what is mended would wait for ever. */
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
