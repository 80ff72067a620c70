// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.queue.QpCapacity;

/**
 * The requests of one queue pair from RTS to its end, in posting order: they succeed up to one, which fails in a way that it or
 * its workload allows, and all later ones are flushed (rule qp-flush; IBA 10.8.2.1).
 */
final class QueuePairLife {
    /** Slots of the send queue of every queue pair with a life. */
    private static final int PLACES = QpCapacity.DEFAULT.maxSendWr();

    /** End of one request: a completion, or the reason why it will never have one. */
    record End(Optional<Status> status, Optional<Errno> refused) {
        boolean isSuccess() {
            return status.filter(Status.SUCCESS::equals).isPresent();
        }

        @Override
        public String toString() {
            return status.map(Status::name).or(() -> refused.map(Errno::name)).orElse("nothing");
        }
    }

    /**
     * One posted request.
     *
     * @param mayFail allowed failure statuses of this request
     * @param ahead earlier requests that had not completed when it was posted: each may occupy a slot of the queue
     */
    record Request(
            String what, CompletionStage<WorkCompletion> stage, Set<Status> mayFail, long ahead, Runnable check) {
        boolean hasEnded() {
            return stage.toCompletableFuture().isDone();
        }

        /** True if it completed without success. */
        boolean hasFailed() {
            CompletableFuture<WorkCompletion> end = stage.toCompletableFuture();
            return end.isCompletedExceptionally()
                    || end.isDone() && !end.resultNow().isSuccess();
        }
    }

    private final String strand;
    private final EnumSet<Status> mayFail;
    private final List<Request> requests = new ArrayList<>();
    private boolean cutOff;

    /**
     * Begins a life.
     *
     * @param mayFail allowed failure statuses of all its requests
     */
    QueuePairLife(String strand, Status... mayFail) {
        this.strand = strand;
        this.mayFail = EnumSet.noneOf(Status.class);
        this.mayFail.addAll(List.of(mayFail));
    }

    List<Request> requests() {
        return requests;
    }

    /** Adds a request that a healthy queue pair executes; {@code check} runs at rest if it succeeded. */
    void add(String what, CompletionStage<WorkCompletion> stage, Runnable check) {
        add(what, stage, check, Set.of());
    }

    /** Adds a request that may also fail with one of these statuses; the set is read when the results are checked. */
    void add(String what, CompletionStage<WorkCompletion> stage, Runnable check, Set<Status> mayFail) {
        long ahead = requests.stream().filter(before -> !before.hasEnded()).count();
        requests.add(new Request(what, stage, mayFail, ahead, check));
    }

    /** Allows all its requests to fail with these statuses, too. */
    void mayFailWith(Status... ways) {
        mayFail.addAll(Arrays.asList(ways));
    }

    /** Declares that its workload ends it by ERR, RESET or destruction: requests in progress are flushed or dropped. */
    void cutOff() {
        cutOff = true;
        mayFail.add(Status.WR_FLUSH_ERR);
    }

    /** Checks the ends, one per request; throws AssertionError if the severity of the armed faults does not allow them. */
    void judge(List<End> ends, FaultSeverity severity) {
        Optional<Integer> failed = Optional.empty();
        for (int i = 0; i < ends.size(); i++) {
            End end = ends.get(i);
            if (end.isSuccess() && failed.isPresent()) {
                throw wrong(
                        i,
                        end,
                        "although the earlier " + requests.get(failed.get()).what() + " failed");
            }
            if (!end.isSuccess() && !isRight(end, requests.get(i), failed.isPresent(), severity)) {
                throw wrong(
                        i,
                        end,
                        "under severity " + severity + ", where the allowed failures are "
                                + waysToFail(requests.get(i)) + "; "
                                + requests.get(i).ahead()
                                + " earlier requests were outstanding when it was posted");
            }
            if (end.status().isPresent() && !end.isSuccess() && failed.isEmpty()) {
                failed = Optional.of(i);
            }
        }
    }

    /** Returns the allowed statuses in an order that is the same in every JVM. */
    private Set<Status> waysToFail(Request request) {
        Set<Status> ways = EnumSet.copyOf(mayFail);
        ways.addAll(request.mayFail);
        return ways;
    }

    private boolean isRight(End end, Request request, boolean behindAFailure, FaultSeverity severity) {
        if (severity == FaultSeverity.DISASTER) {
            return true;
        }
        if (end.refused().isPresent()) {
            return isRefusal(end.refused().get(), request);
        }
        if (severity == FaultSeverity.HOSTILE) {
            return true;
        }
        Status status = end.status().orElseThrow();
        return behindAFailure
                ? status == Status.WR_FLUSH_ERR
                : mayFail.contains(status)
                        || request.mayFail().contains(status)
                        || severity == FaultSeverity.ROUGH && status == Status.RETRY_EXC_ERR;
    }

    /** True if the refusal is allowed: a full queue takes no more; one that is cut off drops its requests and takes none. */
    private boolean isRefusal(Errno errno, Request request) {
        return errno == Errno.ENOMEM && request.ahead() >= PLACES
                || cutOff && (errno == Errno.ECANCELED || errno == Errno.EINVAL);
    }

    private AssertionError wrong(int number, End end, String reason) {
        return new AssertionError("%s: %s, its request %d, ended with %s %s"
                .formatted(strand, requests.get(number).what(), number + 1, end, reason));
    }
}
