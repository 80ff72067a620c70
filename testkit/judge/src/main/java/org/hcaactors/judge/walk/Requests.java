// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.judge.walk.Request.Report;
import org.hcaactors.judge.walk.Request.Verb;

/** All requests and receives; each ends once. */
final class Requests {
    private final Journal journal;
    private final AllowedEnds ends;
    private final Map<Long, Request> requests = new LinkedHashMap<>();
    private int succeeded;
    private int failed;

    Requests(Journal journal, AllowedEnds ends) {
        this.journal = journal;
        this.ends = ends;
    }

    /** True if no forged packet may arrive: the walk's own requests wrote every byte. */
    boolean isAmongFriends() {
        return journal.severity() != FaultProfile.HOSTILE;
    }

    AllowedEnds ends() {
        return ends;
    }

    /** Returns an unused request number. */
    long nextId() {
        return requests.size() + 1L;
    }

    Collection<Request> all() {
        return requests.values();
    }

    int succeeded() {
        return succeeded;
    }

    int ended() {
        return succeeded + failed;
    }

    int failed() {
        return failed;
    }

    void add(Request request) {
        requests.put(request.id, request);
    }

    /** Records a post, which occupies a slot of its queues. */
    void posted(Request request) {
        cqs(request).forEach(WalkObjects.CqModel::await);
    }

    /** Ends a request without completion, as it may. */
    void cutOff(Request request) {
        if (!request.isOver()) {
            request.cutOff();
            cqs(request).forEach(WalkObjects.CqModel::noLongerAwait);
            failed++;
        }
    }

    private static List<WalkObjects.CqModel> cqs(Request request) {
        List<WalkObjects.CqModel> cqs = new ArrayList<>();
        request.qp.ifPresent(qp -> cqs.add(request.verb == Verb.RECEIVE ? qp.receives : qp.sends));
        request.shared.ifPresent(queue -> cqs.addAll(queue.cqs(request)));
        return cqs;
    }

    /** Ends a request with the completion of its stage. */
    void answered(Request request, WorkCompletion completion) {
        if (completion.workId() != request.id) {
            throw wrong(request, "its stage returned the completion of request " + completion.workId());
        }
        end(request, completion.status());
    }

    /**
     * Ends a request with a polled completion.
     *
     * @param pollMoment moment of the poll
     */
    void polled(WalkObjects.CqModel cq, WorkCompletion completion, int pollMoment) {
        Request request = Optional.ofNullable(requests.get(completion.workId()))
                .orElseThrow(() -> journal.wrong("no request was posted for " + completion, List.of(cq)));
        if (request.report == Report.STAGE) {
            throw wrong(request, "its completion is in " + cq + ", but it must be delivered by its stage");
        }
        if (!cqs(request).contains(cq)) {
            throw wrong(request, "it completed in " + cq + ", which is not a completion queue of its queue pair");
        }
        boolean isSilent = request.report == Report.SILENT && (completion.isSuccess() || request.verb.isOfList());
        if (isSilent) {
            throw wrong(request, "it has an entry with " + completion.status() + ", although it is unsignaled");
        }
        if (request.shared.orElse(null) instanceof TagQueue queue) {
            queue.onCompletion(completion);
            if (isFirstOfTwo(completion)) {
                announced(queue, request);
                return;
            }
        }
        request.qp.ifPresent(qp -> {
            boolean reset = request.wasResetBefore(pollMoment);
            boolean destroyed = qp.wasDestroyedUnflushed() && qp.isGoneBefore(pollMoment);
            if (reset || destroyed) {
                throw wrong(request, "its queue pair was reset or destroyed before the poll at " + pollMoment);
            }
        });
        end(request, completion.status());
        if (request.verb == Verb.RECEIVE && completion.isSuccess()) {
            Payload.check(this, request, completion);
        }
    }

    // rule tag-completion
    private static boolean isFirstOfTwo(WorkCompletion completion) {
        return completion.isSuccess()
                && completion
                        .tagging()
                        .filter(tagInfo -> tagInfo.matched() && !tagInfo.dataValid())
                        .isPresent();
    }

    private void announced(TagQueue queue, Request receive) {
        if (!queue.isListed(receive) || receive.isAnnounced() || receive.isOver()) {
            throw wrong(receive, "its completion reports a match, but no match is possible in its state");
        }
        receive.announce();
    }

    // rule tag-delete-race
    /** Ends a receive that was removed from its tag list. */
    void takenOut(Request receive) {
        boolean ended = receive.isAnnounced() || receive.status().isPresent();
        if (ended || receive.isTakenOut()) {
            throw wrong(
                    receive,
                    "it was removed from its list, but "
                            + (ended ? "already had a message" : "had been removed before"));
        }
        cutOff(receive);
        receive.takeOut();
    }

    private void end(Request request, Status status) {
        boolean late = request.wasCutOff();
        if (request.isTakenOut()) {
            throw wrong(request, "it ended with " + status + ", but had been removed from its list");
        }
        if (request.isOver() && !late) {
            throw wrong(request, "it ended a second time, with " + status);
        }
        Set<Status> allowed = ends.allowed(request);
        if (!allowed.contains(status)) {
            throw wrong(request, "it ended with " + status + "; allowed are " + allowed);
        }
        if (!late) {
            cqs(request).forEach(WalkObjects.CqModel::noLongerAwait);
        }
        request.qp
                .filter(qp -> qp.transport.isReliable() && request.verb != Verb.RECEIVE)
                .ifPresent(qp -> inOrder(qp, request, status));
        if (status == Status.SUCCESS) {
            succeeded++;
        } else {
            failed++;
        }
        request.end(status);
    }

    /** Checks that after a failed request all later ones are flushed, however they report (IBA 10.8.3.3; rule qp-flush). */
    private void inOrder(WalkQueuePair qp, Request request, Status status) {
        boolean before = true;
        for (Request other : List.copyOf(qp.requests)) {
            if (other == request) {
                before = false;
            } else if (other.isOfOneEpochWith(request)) {
                if (before && status == Status.SUCCESS && other.report == Report.SILENT) {
                    silentlyDone(other);
                }
                other.status().ifPresent(how -> checkOrder(request, status, other, how));
            }
        }
    }

    private void silentlyDone(Request request) {
        if (!request.isOver()) {
            cqs(request).forEach(WalkObjects.CqModel::noLongerAwait);
            request.end(Status.SUCCESS);
        }
    }

    private void checkOrder(Request one, Status itsEnd, Request other, Status othersEnd) {
        Request first = one.id < other.id ? one : other;
        Status firstEnd = first == one ? itsEnd : othersEnd;
        Request second = first == one ? other : one;
        Status secondEnd = first == one ? othersEnd : itsEnd;
        if (firstEnd != Status.SUCCESS && secondEnd != Status.WR_FLUSH_ERR) {
            throw wrong(second, "it ended with " + secondEnd + " after " + first + ", which ended with " + firstEnd);
        }
    }

    AssertionError wrong(Request request, String what) {
        List<WalkObject> about = new ArrayList<>();
        request.qp.ifPresent(about::add);
        request.qp.flatMap(WalkQueuePair::peer).ifPresent(about::add);
        request.shared.ifPresent(about::add);
        request.localRegion.ifPresent(about::add);
        request.remoteRegion.ifPresent(about::add);
        return journal.wrong(request + ": " + what, about);
    }
}
