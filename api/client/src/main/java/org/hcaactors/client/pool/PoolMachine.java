// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.pool;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/**
 * Machine of a pool of DC initiators: decides on which lane and when each request is posted, and which flushed requests are
 * posted again. Inputs are events, results are {@link PoolActions}. One thread at a time.
 */
final class PoolMachine {
    /** Maximum number of times that a request is posted; if the last one is flushed too, the caller receives WR_FLUSH_ERR. */
    static final int MAX_POSTED = 8;

    /** Maximum number of attempts to reopen an initiator; after that the pool no longer uses it. */
    static final int MAX_REOPENINGS = 3;

    private final List<PoolLane.PoolInitiator> initiators;
    private final LaneSelector selector;
    private final int maxWaiting;
    private final Map<DcTargetKey, PoolTraffic> traffic = new HashMap<>();

    private final TargetQueue targets;

    private List<PoolLane> lanes;
    private int waiting;
    private int outstanding;
    private int recovering;
    private long tick;
    private long posted;
    private long switches;
    private long waits;
    private long resent;
    private long recoveries;
    private long refused;

    PoolMachine(List<PoolLane.PoolInitiator> initiators, LaneSelector selector, int maxWaiting) {
        this.initiators = initiators;
        this.selector = selector;
        this.maxWaiting = maxWaiting;
        targets = new TargetQueue(initiators);
        lanes = allLanes();
    }

    private List<PoolLane> allLanes() {
        return initiators.stream()
                .filter(initiator -> !initiator.lost)
                .map(initiator -> initiator.lanes)
                .flatMap(Collection::stream)
                .toList();
    }

    PoolStatistics statistics() {
        return new PoolStatistics(posted, switches, waits, resent, recoveries, refused);
    }

    /** True if no request waits or is outstanding, and no recovery is in progress. */
    boolean isQuiet() {
        return waiting + outstanding + recovering == 0;
    }

    /** True if a request or recovery is in progress: when it ends, waiting requests are served. */
    boolean isUnderWay() {
        return outstanding + recovering > 0;
    }

    /** Accepts a caller's request. VerbsException: ENOMEM if too many requests wait, EIO if no initiator is left. */
    PoolActions submit(PoolRequest request) {
        if (lanes.isEmpty()) {
            throw noInitiator();
        }
        PoolActions step = new PoolActions();
        PoolTraffic target = traffic.computeIfAbsent(request.to, PoolTraffic::new);
        target.waiting.add(request);
        waiting++;
        serve(target, step);
        if (target.waiting.peekLast() == request) {
            admitOrRefuse(target, request);
        }
        return step;
    }

    /** Keeps a request that could not be posted, the last one of its target, or refuses it if too many wait. */
    private void admitOrRefuse(PoolTraffic target, PoolRequest request) {
        if (waiting > maxWaiting) {
            target.waiting.removeLastOccurrence(request);
            waiting--;
            refused++;
            removeIfEmpty(target);
            throw new VerbsException(
                    Errno.ENOMEM,
                    "no initiator of the pool is ready, and " + maxWaiting + " requests wait; the pool allows no more");
        }
        waits++;
    }

    /** Handles that the initiator accepted the request. */
    void accepted(PoolRequest request) {
        PoolLane lane = laneOf(request);
        posted++;
        resent += request.timesPosted > 1 ? 1 : 0;
        switches += lane.lastAccepted != null && !lane.lastAccepted.equals(request.to) ? 1 : 0;
        lane.lastAccepted = request.to;
    }

    /** Handles that the initiator refused a request that the machine posted. */
    PoolActions rejected(PoolAnswer.Failed refusal) {
        PoolActions step = new PoolActions();
        countReturned(refusal.request());
        removeOutstanding(refusal.request());
        step.answers.add(refusal);
        settle(laneOf(refusal.request()), step);
        serveAll(step);
        return step;
    }

    /** Handles that a request completed or failed. */
    PoolActions completed(PoolAnswer outcome) {
        PoolActions step = new PoolActions();
        PoolRequest request = outcome.request();
        PoolLane lane = laneOf(request);
        countReturned(request);
        if (outcome.isSuccess()) {
            lane.initiator.failedTries = 0;
            removeOutstanding(request);
            step.answers.add(outcome);
        } else {
            lane.setDown(true);
            lane.initiator.down |= !lane.initiator.hasStreams;
            lane.outcomes.add(outcome);
        }
        settle(lane, step);
        serveAll(step);
        return step;
    }

    /** Handles that the stream was reset and accepts requests again. */
    PoolActions resetDone(PoolLane lane) {
        PoolActions step = new PoolActions();
        lane.resetting = false;
        recovering--;
        lane.setDown(false);
        recoveries++;
        settle(lane, step);
        serveAll(step);
        return step;
    }

    /** Handles that the reset of the stream failed, because the initiator itself is in error. */
    PoolActions resetFailed(PoolLane lane) {
        PoolActions step = new PoolActions();
        lane.resetting = false;
        recovering--;
        lane.initiator.down = true;
        settle(lane, step);
        serveAll(step);
        return step;
    }

    /** Handles the end of an attempt to reopen an initiator. */
    PoolActions reopened(PoolLane.PoolInitiator initiator, boolean succeeded) {
        PoolActions step = new PoolActions();
        initiator.reopening = false;
        recovering--;
        if (succeeded) {
            recoveries++;
            initiator.down = false;
            initiator.lanes.forEach(lane -> lane.setDown(false));
        } else if (++initiator.failedTries < MAX_REOPENINGS) {
            reopen(initiator, step);
        } else {
            remove(initiator, step);
        }
        serveAll(step);
        return step;
    }

    private void remove(PoolLane.PoolInitiator initiator, PoolActions step) {
        initiator.lost = true;
        targets.initiatorLost(initiator);
        lanes = allLanes();
        if (lanes.isEmpty()) {
            for (PoolTraffic each : List.copyOf(targets.withoutLane())) {
                each.waiting.forEach(request -> step.answers.add(new PoolAnswer.Failed(request, noInitiator())));
                dropWaiting(each);
            }
        }
    }

    private static VerbsException noInitiator() {
        return new VerbsException(Errno.EIO, "no initiator of the pool could be reopened after its error");
    }

    private void countReturned(PoolRequest request) {
        PoolLane lane = laneOf(request);
        lane.outstanding--;
        lane.initiator.outstanding--;
        lane.usedAt = ++tick;
        outstanding--;
    }

    /** Removes a request from the outstanding requests of its target. */
    private void removeOutstanding(PoolRequest request) {
        PoolTraffic target = trafficOf(request.to);
        if (--target.outstanding == 0) {
            targets.releaseLane(target);
        }
        removeIfEmpty(target);
    }

    private void removeIfEmpty(PoolTraffic target) {
        if (target.waiting.isEmpty()) {
            targets.remove(target);
            if (target.outstanding == 0) {
                traffic.remove(target.to);
            }
        }
    }

    private static PoolLane laneOf(PoolRequest request) {
        return Objects.requireNonNull(request.lane, "the request has no lane");
    }

    private PoolTraffic trafficOf(DcTargetKey to) {
        return traffic.computeIfAbsent(to, PoolTraffic::new);
    }

    /** Recovers a lane in error when all its requests have returned. */
    private void settle(PoolLane lane, PoolActions step) {
        if (lane.isUp() || lane.outstanding > 0) {
            return;
        }
        attributeFailures(lane, step);
        if (!lane.initiator.down) {
            reset(lane, step);
        } else if (lane.initiator.outstanding == 0) {
            reopen(lane.initiator, step);
        }
    }

    private void reset(PoolLane lane, PoolActions step) {
        if (!lane.resetting) {
            lane.resetting = true;
            recovering++;
            step.resets.add(lane);
        }
    }

    private void reopen(PoolLane.PoolInitiator initiator, PoolActions step) {
        if (!initiator.reopening && !initiator.lost) {
            initiator.reopening = true;
            recovering++;
            step.reopenings.add(initiator);
        }
    }

    /** Answers or requeues the failed requests of a lane; called when all have returned, since they may complete in any order. */
    private void attributeFailures(PoolLane lane, PoolActions step) {
        FailureAttribution blame = FailureAttribution.on(lane.outcomes);
        lane.outcomes.clear();
        for (PoolAnswer outcome : blame.answered()) {
            step.answers.add(outcome);
            removeOutstanding(outcome.request());
        }
        sendAgain(blame.sentAgain());
        blame.culprit().ifPresent(culprit -> flushWaiting(culprit, step));
        blame.doubtful().forEach(change -> flushWaiting(change, step));
    }

    /** Queues the flushed requests in their order of posting, before the waiting requests to the same targets. */
    private void sendAgain(List<PoolRequest> flushed) {
        flushed.forEach(request -> targets.enqueue(trafficOf(request.to)));
        for (PoolRequest request : flushed.reversed()) {
            trafficOf(request.to).waiting.addFirst(request);
            waiting++;
            removeOutstanding(request);
        }
    }

    /** Answers the waiting requests to the target of a failed request as flushed: they were submitted before the failure. */
    private void flushWaiting(PoolAnswer culprit, PoolActions step) {
        PoolTraffic blamed = trafficOf(culprit.request().to);
        for (PoolRequest request : blamed.waiting) {
            step.answers.add(FlushedAnswer.as(culprit, request));
        }
        dropWaiting(blamed);
    }

    private void dropWaiting(PoolTraffic target) {
        waiting -= target.waiting.size();
        target.waiting.clear();
        removeIfEmpty(target);
    }

    private void serveAll(PoolActions step) {
        long last = targets.lastPlace();
        boolean someLaneIsFree = true;
        Optional<PoolTraffic> next = targets.next(0, last, true);
        while (next.isPresent()) {
            long place = next.get().place;
            someLaneIsFree &= serve(next.get(), step);
            next = targets.next(place, last, someLaneIsFree);
        }
    }

    /**
     * Posts as many requests of a target as possible; if some remain, the target is queued. False if the target has no lane and
     * no lane is free.
     */
    private boolean serve(PoolTraffic target, PoolActions step) {
        targets.park(target);
        Optional<PoolLane> requested = laneFor(target);
        while (requested.filter(PoolLane::hasRoom).isPresent()) {
            post(target, requested.get(), step);
            targets.remove(target);
            requested = laneFor(target);
        }
        if (target.waiting.isEmpty()) {
            targets.remove(target);
            return true;
        }
        if (target.lane == null && selector.isSticky()) {
            target.lane = requested.orElse(null);
        }
        targets.enqueue(target);
        return target.lane != null;
    }

    private Optional<PoolLane> laneFor(PoolTraffic target) {
        if (target.waiting.isEmpty()) {
            return Optional.empty();
        }
        PoolLane held = target.lane;
        // the target itself is not in the queue at this point, so any queued target is another one
        return held == null
                ? selector.choose(target.to, lanes)
                : Optional.of(held)
                        .filter(lane -> selector.keepsLane(
                                lane, target.sent, () -> !targets.withoutLane().isEmpty()));
    }

    private void post(PoolTraffic target, PoolLane lane, PoolActions step) {
        PoolRequest request = target.waiting.removeFirst();
        waiting--;
        outstanding++;
        target.lane = lane;
        target.outstanding++;
        target.sent++;
        lane.outstanding++;
        lane.initiator.outstanding++;
        lane.usedAt = ++tick;
        lane.last = target.to;
        request.lane = lane;
        request.place = tick;
        request.timesPosted++;
        step.posts.add(request);
    }
}
