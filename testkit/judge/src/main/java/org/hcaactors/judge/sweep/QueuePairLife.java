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
 * The requests of one queue pair from RTS to its end, in the order of posting: they succeed up to one, which fails in a way
 * that it or its strand allows, and all behind it are flushed (rule qp-flush; IBA 10.8.2.1).
 */
final class QueuePairLife {
    /** Of the send queue of every queue pair that has a life. */
    private static final int PLACES = QpCapacity.DEFAULT.maxSendWr();

    /** What came of one request: a completion, or the reason why it will never have one. */
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
     * @param mayFail ways to fail that its own terms allow
     * @param ahead requests before it that had not ended when it was posted: each may hold a place of the queue
     */
    record Request(
            String what, CompletionStage<WorkCompletion> stage, Set<Status> mayFail, long ahead, Runnable check) {
        boolean hasEnded() {
            return stage.toCompletableFuture().isDone();
        }

        /** It ended, and not well. */
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

    /** @param mayFail ways to fail that are right for any request of it */
    QueuePairLife(String strand, Status... mayFail) {
        this.strand = strand;
        this.mayFail = EnumSet.noneOf(Status.class);
        this.mayFail.addAll(List.of(mayFail));
    }

    List<Request> requests() {
        return requests;
    }

    /** A request that a healthy queue pair carries out; {@code check} is run at rest if it succeeded. */
    void add(String what, CompletionStage<WorkCompletion> stage, Runnable check) {
        add(what, stage, check, Set.of());
    }

    /** A request that may also fail in one of these ways, as they are when it is judged. */
    void add(String what, CompletionStage<WorkCompletion> stage, Runnable check, Set<Status> mayFail) {
        long ahead = requests.stream().filter(before -> !before.hasEnded()).count();
        requests.add(new Request(what, stage, mayFail, ahead, check));
    }

    /** From now on a request may also fail so. */
    void mayFailWith(Status... ways) {
        mayFail.addAll(Arrays.asList(ways));
    }

    /** Its strand ends it by ERR, RESET or by destroying it: what is under way is flushed or dropped. */
    void cutOff() {
        cutOff = true;
        mayFail.add(Status.WR_FLUSH_ERR);
    }

    /** AssertionError if these ends, one a request, are not what a life in that weather can come to. */
    void judge(List<End> ends, FaultSeverity severity) {
        Optional<Integer> failed = Optional.empty();
        for (int i = 0; i < ends.size(); i++) {
            End end = ends.get(i);
            if (end.isSuccess() && failed.isPresent()) {
                throw wrong(i, end, "though " + requests.get(failed.get()).what() + " before it failed");
            }
            if (!end.isSuccess() && !isRight(end, requests.get(i), failed.isPresent(), severity)) {
                throw wrong(
                        i,
                        end,
                        "in " + severity + ", where it may fail with "
                                + waysToFail(requests.get(i)) + "; "
                                + requests.get(i).ahead()
                                + " before it had not ended when it was posted");
            }
            if (end.status().isPresent() && !end.isSuccess() && failed.isEmpty()) {
                failed = Optional.of(i);
            }
        }
    }

    /** In an order that no JVM's salt changes. */
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

    /** A queue that is full takes no more; one that is cut off drops what it had and takes nothing. */
    private boolean isRefusal(Errno errno, Request request) {
        return errno == Errno.ENOMEM && request.ahead() >= PLACES
                || cutOff && (errno == Errno.ECANCELED || errno == Errno.EINVAL);
    }

    private AssertionError wrong(int number, End end, String reason) {
        return new AssertionError("%s: %s, its request %d, ended with %s %s"
                .formatted(strand, requests.get(number).what(), number + 1, end, reason));
    }
}
