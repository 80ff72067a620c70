// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.judge.walk.Request.Report;
import org.hcaactors.judge.walk.Request.Verb;

/**
 * Computes how a posted request may end, from its own flaws, the objects closed meanwhile, and the states of its queue pair and
 * the peer's.
 */
final class AllowedEnds {
    private final FaultProfile severity;

    AllowedEnds(FaultProfile severity) {
        this.severity = severity;
    }

    /** Returns the statuses that its completion may have. */
    Set<Status> allowed(Request request) {
        if (severity.excusesFailures()) {
            return EnumSet.allOf(Status.class);
        }
        Set<Status> ends = ofItself(request);
        if (request.verb.isOfList()) {
            return ends;
        }
        if (request.qp.isEmpty()) {
            ends.addAll(ofStrangers(request));
            if (request.shared.orElse(null) instanceof TagQueue queue && queue.isListed(request)) {
                ends.add(Status.TM_RNDV_INCOMPLETE);
            }
            return ends;
        }
        WalkQueuePair qp = request.qp.get();
        if (mayHaveBrokenBefore(request, qp)) {
            ends.add(Status.WR_FLUSH_ERR);
            if (qp.transport.isReliable() && request.verb != Verb.RECEIVE) {
                ends.add(Status.RETRY_EXC_ERR);
            }
        }
        if (qp.speaksWithStrangers()) {
            ends.addAll(ofStrangers(request));
        }
        return ends;
    }

    /** Returns the statuses it may end with if its queue pair stays healthy. */
    private Set<Status> ofItself(Request request) {
        return switch (request.verb) {
            case RECEIVE -> ofReceive(request);
            case KEY -> ofKeyChange(request);
            case LIST -> EnumSet.of(Status.SUCCESS);
            case UNLIST -> EnumSet.of(Status.SUCCESS, Status.TM_ERR);
            case READ, ATOMIC -> ofRead(request);
            case SEND, WRITE, WRITE_WITH_IMMEDIATE -> ofWrite(request);
        };
    }

    /**
     * The responder's checks come before the answer is scattered (rdma-unit-test: READ and atomics check their local key last).
     */
    private static Set<Status> ofRead(Request request) {
        Set<Status> ends = judgedThere(request);
        if (ends.remove(Status.SUCCESS)) {
            ends.addAll(judgedHere(request));
        }
        return ends;
    }

    private Set<Status> ofWrite(Request request) {
        Set<Status> ends = judgedHere(request);
        boolean acknowledged =
                request.qp.filter(qp -> qp.transport.isReliable()).isPresent();
        if (acknowledged && ends.remove(Status.SUCCESS)) {
            ends.addAll(judgedThere(request));
        }
        if (acknowledged && request.verb.takesReceive()) {
            ends.addAll(ofItsReceive(request));
        }
        return ends;
    }

    /** Returns the statuses from its local memory. */
    private static Set<Status> judgedHere(Request request) {
        Set<Status> ends = EnumSet.of(isBadHere(request) ? Status.LOC_PROT_ERR : Status.SUCCESS);
        if (mayGoHere(request)) {
            ends.add(Status.LOC_PROT_ERR);
        }
        return ends;
    }

    /**
     * Returns the statuses from the responder, which checks the queue pair's access rights first, then the key (rule
     * rc-check-order).
     */
    private static Set<Status> judgedThere(Request request) {
        Set<Status> ends = EnumSet.noneOf(Status.class);
        Access right = right(request.verb);
        boolean remote = request.verb != Verb.SEND;
        if (remote && isOfPeer(request, peer -> peer.mayRefuse(right))) {
            ends.add(Status.REM_INV_REQ_ERR);
        }
        if (remote && isOfPeer(request, peer -> peer.refuses(right))) {
            return ends;
        }
        ends.add(isBadThere(request) ? Status.REM_ACCESS_ERR : Status.SUCCESS);
        if (mayGoThere(request)) {
            ends.add(Status.REM_ACCESS_ERR);
        }
        return ends;
    }

    private static boolean isOfPeer(Request request, Predicate<WalkQueuePair> what) {
        return request.qp.flatMap(WalkQueuePair::peer).filter(what).isPresent();
    }

    private Set<Status> ofItsReceive(Request request) {
        Set<Status> ends = EnumSet.noneOf(Status.class);
        if (request.mayFindNoReceive || severity != FaultProfile.FAIR) {
            ends.add(Status.RNR_RETRY_EXC_ERR);
        }
        if (request.qp
                .flatMap(WalkQueuePair::peer)
                .filter(this::mayHaveBadReceive)
                .isPresent()) {
            ends.add(Status.REM_OP_ERR);
            ends.add(Status.REM_INV_REQ_ERR);
        }
        return ends;
    }

    private Set<Status> ofReceive(Request request) {
        Set<Status> ends = EnumSet.of(Status.SUCCESS);
        if (isBadHere(request) || mayGoHere(request)) {
            ends.add(Status.LOC_PROT_ERR);
        }
        if (request.flaws.tooSmall()) {
            ends.addAll(Set.of(Status.LOC_LEN_ERR, Status.LOC_QP_OP_ERR, Status.REM_INV_REQ_ERR));
        }
        boolean peerErrs = request.qp
                .flatMap(WalkQueuePair::peer)
                .filter(this::mayFailItself)
                .isPresent();
        if (peerErrs) {
            // A WRITE with immediate data whose remote key is refused completes the receive that it took.
            ends.add(Status.LOC_ACCESS_ERR);
            ends.add(Status.LOC_PROT_ERR);
        }
        return ends;
    }

    /** Returns the statuses of a bind or fill; it is checked when it is executed. */
    private static Set<Status> ofKeyChange(Request request) {
        return request.alias()
                        .filter(alias -> alias.maybeNotSince(request.posting.began()))
                        .isPresent()
                ? EnumSet.of(Status.SUCCESS, Status.MW_BIND_ERR, Status.LOC_QP_OP_ERR)
                : EnumSet.of(Status.SUCCESS);
    }

    private static Set<Status> ofStrangers(Request request) {
        Set<Status> ends = EnumSet.of(Status.SUCCESS, Status.WR_FLUSH_ERR, Status.LOC_PROT_ERR);
        ends.addAll(
                request.verb == Verb.RECEIVE
                        ? Set.of(
                                Status.LOC_LEN_ERR, Status.LOC_QP_OP_ERR, Status.LOC_ACCESS_ERR, Status.REM_INV_REQ_ERR)
                        : Set.of(
                                Status.RETRY_EXC_ERR,
                                Status.RNR_RETRY_EXC_ERR,
                                Status.REM_ACCESS_ERR,
                                Status.REM_INV_REQ_ERR,
                                Status.REM_OP_ERR));
        return ends;
    }

    private static boolean isBadHere(Request request) {
        return request.bytes > 0
                && (request.flaws.badLocalKey()
                        || request.localRegion
                                .filter(region -> request.verb.scatters() && region.surelyDenies(Access.LOCAL_WRITE)
                                        || region.isGoneBefore(request.posting.began()))
                                .isPresent());
    }

    private static boolean mayGoHere(Request request) {
        return request.bytes > 0
                && request.localRegion
                        .filter(region -> request.verb.scatters() && !region.surelyAllows(Access.LOCAL_WRITE)
                                || region.mayGoSince(request.posting.began()))
                        .isPresent();
    }

    private static boolean isBadThere(Request request) {
        int posted = request.posting.began();
        boolean lacks = request.remoteRegion
                .filter(region ->
                        !request.alias().filter(RegionAlias::hasRightsOfItsOwn).isPresent()
                                && region.surelyDenies(right(request.verb)))
                .isPresent();
        boolean isGone = request.remoteRegion
                        .filter(region -> region.isGoneBefore(posted))
                        .isPresent()
                || request.alias().filter(alias -> alias.isGoneBefore(posted)).isPresent();
        return request.bytes > 0 && (request.flaws.badRemoteKey() || lacks || isGone);
    }

    private static boolean mayGoThere(Request request) {
        int posted = request.posting.began();
        boolean mayLack = request.remoteRegion
                .filter(region ->
                        !request.alias().filter(RegionAlias::hasRightsOfItsOwn).isPresent()
                                && !region.surelyAllows(right(request.verb)))
                .isPresent();
        boolean mayGo = request.remoteRegion
                        .filter(region -> region.mayGoSince(posted))
                        .isPresent()
                || request.alias().filter(alias -> alias.mayGoSince(posted)).isPresent();
        return request.bytes > 0 && (mayLack || mayGo);
    }

    private static Access right(Verb verb) {
        return switch (verb) {
            case READ -> Access.REMOTE_READ;
            case ATOMIC -> Access.REMOTE_ATOMIC;
            case WRITE, WRITE_WITH_IMMEDIATE, SEND -> Access.REMOTE_WRITE;
            case RECEIVE, LIST, UNLIST -> Access.LOCAL_WRITE;
            case KEY -> Access.MW_BIND;
        };
    }

    /** True if it or its peer may be in ERR: when one fails, the other gets no more answers. */
    boolean mayHaveBroken(WalkQueuePair qp) {
        return mayHaveBroken(qp, each -> true);
    }

    /**
     * True if it may have been in ERR when the request ended: requests complete in order, so none posted after it has failed by
     * then.
     */
    private boolean mayHaveBrokenBefore(Request request, WalkQueuePair qp) {
        return mayHaveBroken(qp, each -> request.verb == Verb.RECEIVE || each.id <= request.id);
    }

    private boolean mayHaveBroken(WalkQueuePair qp, Predicate<Request> own) {
        return breaksByItself(qp)
                || hasTrouble(qp, own)
                || qp.transport.isReliable()
                        && qp.peer()
                                .filter(peer -> hasTrouble(peer, each -> true))
                                .isPresent();
    }

    /** True if faults alone may break it. Lost packets break no queue pair that waits for no answers. */
    private boolean breaksByItself(WalkQueuePair qp) {
        return switch (severity) {
            case FAIR, SCARCE -> false;
            case ROUGH -> qp.transport.isReliable();
            case DISASTER, HOSTILE -> true;
        };
    }

    private boolean hasTrouble(WalkQueuePair qp, Predicate<Request> own) {
        return qp.wasMeantToStop()
                || qp.speaksWithStrangers()
                || qp.sends.mayHaveFailed()
                || qp.receives.mayHaveFailed()
                || qp.mayFetch()
                || qp.shared.filter(WalkObjects.Shared::mayHaveFailed).isPresent()
                || mayFailItself(qp, own)
                || mayHaveBadReceive(qp);
    }

    private boolean mayFailItself(WalkQueuePair qp) {
        return mayFailItself(qp, each -> true);
    }

    private boolean mayFailItself(WalkQueuePair qp, Predicate<Request> which) {
        return qp.requests.stream()
                .filter(which)
                .anyMatch(request -> !ofItself(request).equals(EnumSet.of(Status.SUCCESS)));
    }

    private boolean mayHaveBadReceive(WalkQueuePair qp) {
        return qp.posted.stream().anyMatch(AllowedEnds::isBadReceive)
                || qp.shared
                        .filter(queue -> queue.toTake().anyMatch(AllowedEnds::isBadReceive))
                        .isPresent();
    }

    private static boolean isBadReceive(Request receive) {
        return isBadHere(receive) || mayGoHere(receive) || receive.flaws.tooSmall();
    }

    /** True if its stage may fail, or its completion may never arrive. */
    boolean mayHaveNoCompletion(Request request) {
        boolean silent = request.report == Report.SILENT;
        boolean unused = request.shared
                .filter(queue -> !(queue instanceof TagQueue tags && mustEnd(request, tags)))
                .isPresent();
        return severity.excusesFailures()
                || silent
                || unused
                || request.qp.filter(qp -> mayDrop(qp, request)).isPresent();
    }

    // rules tag-operations-ordered, tag-completion
    /** True if a tag operation must complete, or a receive that a message was reported to have taken. */
    private static boolean mustEnd(Request request, TagQueue queue) {
        boolean isHeard = !queue.cq.mayHaveLost() && !queue.cq.wasCloseRequested() && !queue.wasCloseRequested();
        return isHeard && (request.verb.isOfList() || request.isAnnounced());
    }

    private static boolean mayDrop(WalkQueuePair qp, Request request) {
        WalkObjects.CqModel cq = request.verb == Verb.RECEIVE ? qp.receives : qp.sends;
        return qp.epoch() > request.epoch
                || qp.wasDestroyedUnflushed()
                || qp.owner().filter(WalkObject::wasCloseRequested).isPresent()
                || cq.mayHaveLost()
                || request.report == Report.ENTRY && cq.wasCloseRequested();
    }

    /** True if nothing holds it up: it must have completed at rest. */
    boolean mustHaveEnded(Request request) {
        return request.report == Report.STAGE
                && request.qp
                        .filter(qp -> !severity.excusesFailures()
                                && !qp.hasNoTimeout()
                                && qp.states(mayHaveBroken(qp)).stream()
                                        .allMatch(state ->
                                                state == QpState.RTS || state == QpState.ERR || state == QpState.SQE))
                        .isPresent();
    }
}
