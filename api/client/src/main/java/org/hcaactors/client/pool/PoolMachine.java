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

    private final List<PoolLane.Member> members;
    private final LaneSelector chooser;
    private final int maxWaiting;
    private final Map<DcTargetKey, PoolTraffic> traffic = new HashMap<>();

    private final PoolLine line;

    private List<PoolLane> lanes;
    private int waiting;
    private int outstanding;
    private int mending;
    private long tick;
    private long posted;
    private long switches;
    private long waits;
    private long resent;
    private long recoveries;
    private long refused;

    PoolMachine(List<PoolLane.Member> members, LaneSelector chooser, int maxWaiting) {
        this.members = members;
        this.chooser = chooser;
        this.maxWaiting = maxWaiting;
        line = new PoolLine(members);
        lanes = allLanes();
    }

    private List<PoolLane> allLanes() {
        return members.stream()
                .filter(member -> !member.lost)
                .map(member -> member.lanes)
                .flatMap(Collection::stream)
                .toList();
    }

    PoolStatistics statistics() {
        return new PoolStatistics(posted, switches, waits, resent, recoveries, refused);
    }

    /** True if no request waits or is outstanding, and no recovery is in progress. */
    boolean isQuiet() {
        return waiting + outstanding + mending == 0;
    }

    /** True if a request or recovery is in progress: when it ends, waiting requests are served. */
    boolean isUnderWay() {
        return outstanding + mending > 0;
    }

    /** Accepts a caller's request. VerbsException: ENOMEM if too many requests wait, EIO if no initiator is left. */
    PoolActions submit(PoolRequest request) {
        if (lanes.isEmpty()) {
            throw noneLeft();
        }
        PoolActions step = new PoolActions();
        PoolTraffic mine = traffic.computeIfAbsent(request.to, PoolTraffic::new);
        mine.waiting.add(request);
        waiting++;
        serve(mine, step);
        if (mine.waiting.peekLast() == request) {
            admitOrRefuse(mine, request);
        }
        return step;
    }

    /** Keeps a request that could not be posted, the last one of its target, or refuses it if too many wait. */
    private void admitOrRefuse(PoolTraffic mine, PoolRequest request) {
        if (waiting > maxWaiting) {
            mine.waiting.removeLastOccurrence(request);
            waiting--;
            refused++;
            forgetIfNothingIsLeft(mine);
            throw new VerbsException(
                    Errno.ENOMEM,
                    "no initiator of the pool is ready, and " + maxWaiting + " requests wait; the pool allows no more");
        }
        waits++;
    }

    /** Handles that the initiator accepted the request. */
    void taken(PoolRequest request) {
        PoolLane lane = laneOf(request);
        posted++;
        resent += request.timesPosted > 1 ? 1 : 0;
        switches += lane.lastTaken != null && !lane.lastTaken.equals(request.to) ? 1 : 0;
        lane.lastTaken = request.to;
    }

    /** Handles that the initiator refused a request that the machine posted. */
    PoolActions notTaken(PoolAnswer.Failed refusal) {
        PoolActions step = new PoolActions();
        takeOff(refusal.request());
        leave(refusal.request());
        step.answers.add(refusal);
        settle(laneOf(refusal.request()), step);
        serveAll(step);
        return step;
    }

    /** Handles that a request completed or failed. */
    PoolActions ended(PoolAnswer outcome) {
        PoolActions step = new PoolActions();
        PoolRequest request = outcome.request();
        PoolLane lane = laneOf(request);
        takeOff(request);
        if (outcome.isSuccess()) {
            lane.member.failedTries = 0;
            leave(request);
            step.answers.add(outcome);
        } else {
            lane.setDown(true);
            lane.member.down |= !lane.member.hasStreams;
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
        mending--;
        lane.setDown(false);
        recoveries++;
        settle(lane, step);
        serveAll(step);
        return step;
    }

    /** Handles that the reset of the stream failed, because the initiator itself is in error. */
    PoolActions resetInVain(PoolLane lane) {
        PoolActions step = new PoolActions();
        lane.resetting = false;
        mending--;
        lane.member.down = true;
        settle(lane, step);
        serveAll(step);
        return step;
    }

    /** Handles the end of an attempt to reopen an initiator. */
    PoolActions reopened(PoolLane.Member member, boolean well) {
        PoolActions step = new PoolActions();
        member.reopening = false;
        mending--;
        if (well) {
            recoveries++;
            member.down = false;
            member.lanes.forEach(lane -> lane.setDown(false));
        } else if (++member.failedTries < MAX_REOPENINGS) {
            reopen(member, step);
        } else {
            lose(member, step);
        }
        serveAll(step);
        return step;
    }

    private void lose(PoolLane.Member member, PoolActions step) {
        member.lost = true;
        line.lost(member);
        lanes = allLanes();
        if (lanes.isEmpty()) {
            for (PoolTraffic each : List.copyOf(line.withoutLane())) {
                each.waiting.forEach(request -> step.answers.add(new PoolAnswer.Failed(request, noneLeft())));
                dropWaiting(each);
            }
        }
    }

    private static VerbsException noneLeft() {
        return new VerbsException(Errno.EIO, "no initiator of the pool could be reopened after its error");
    }

    private void takeOff(PoolRequest request) {
        PoolLane lane = laneOf(request);
        lane.outstanding--;
        lane.member.outstanding--;
        lane.usedAt = ++tick;
        outstanding--;
    }

    /** Removes a request from the outstanding requests of its target. */
    private void leave(PoolRequest request) {
        PoolTraffic mine = trafficOf(request.to);
        if (--mine.outstanding == 0) {
            line.hasNoLaneAnyMore(mine);
        }
        forgetIfNothingIsLeft(mine);
    }

    private void forgetIfNothingIsLeft(PoolTraffic mine) {
        if (mine.waiting.isEmpty()) {
            line.leave(mine);
            if (mine.outstanding == 0) {
                traffic.remove(mine.to);
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
        judge(lane, step);
        if (!lane.member.down) {
            reset(lane, step);
        } else if (lane.member.outstanding == 0) {
            reopen(lane.member, step);
        }
    }

    private void reset(PoolLane lane, PoolActions step) {
        if (!lane.resetting) {
            lane.resetting = true;
            mending++;
            step.resets.add(lane);
        }
    }

    private void reopen(PoolLane.Member member, PoolActions step) {
        if (!member.reopening && !member.lost) {
            member.reopening = true;
            mending++;
            step.reopenings.add(member);
        }
    }

    /** Answers or requeues the failed requests of a lane; called when all have returned, since they may complete in any order. */
    private void judge(PoolLane lane, PoolActions step) {
        FailureAttribution blame = FailureAttribution.on(lane.outcomes);
        lane.outcomes.clear();
        for (PoolAnswer outcome : blame.answered()) {
            step.answers.add(outcome);
            leave(outcome.request());
        }
        sendAgain(blame.sentAgain());
        blame.culprit().ifPresent(culprit -> flushWaiting(culprit, step));
        blame.doubtful().forEach(change -> flushWaiting(change, step));
    }

    /** Queues the flushed requests in their order of posting, before the waiting requests to the same targets. */
    private void sendAgain(List<PoolRequest> flushed) {
        flushed.forEach(request -> line.stand(trafficOf(request.to)));
        for (PoolRequest request : flushed.reversed()) {
            trafficOf(request.to).waiting.addFirst(request);
            waiting++;
            leave(request);
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

    private void dropWaiting(PoolTraffic mine) {
        waiting -= mine.waiting.size();
        mine.waiting.clear();
        forgetIfNothingIsLeft(mine);
    }

    private void serveAll(PoolActions step) {
        long last = line.lastPlace();
        boolean someLaneIsFree = true;
        Optional<PoolTraffic> next = line.next(0, last, true);
        while (next.isPresent()) {
            long place = next.get().place;
            someLaneIsFree &= serve(next.get(), step);
            next = line.next(place, last, someLaneIsFree);
        }
    }

    /**
     * Posts as many requests of a target as possible; if some remain, the target is queued. False if the target has no lane and
     * no lane is free.
     */
    private boolean serve(PoolTraffic mine, PoolActions step) {
        line.stepOut(mine);
        Optional<PoolLane> requested = laneFor(mine);
        while (requested.filter(PoolLane::hasRoom).isPresent()) {
            post(mine, requested.get(), step);
            line.leave(mine);
            requested = laneFor(mine);
        }
        if (mine.waiting.isEmpty()) {
            line.leave(mine);
            return true;
        }
        if (mine.lane == null && chooser.isSticky()) {
            mine.lane = requested.orElse(null);
        }
        line.stand(mine);
        return mine.lane != null;
    }

    private Optional<PoolLane> laneFor(PoolTraffic mine) {
        if (mine.waiting.isEmpty()) {
            return Optional.empty();
        }
        PoolLane held = mine.lane;
        // the target itself is not in the queue at this point, so any queued target is another one
        return held == null
                ? chooser.choose(mine.to, lanes)
                : Optional.of(held)
                        .filter(lane -> chooser.keepsLane(
                                lane, mine.sent, () -> !line.withoutLane().isEmpty()));
    }

    private void post(PoolTraffic mine, PoolLane lane, PoolActions step) {
        PoolRequest request = mine.waiting.removeFirst();
        waiting--;
        outstanding++;
        mine.lane = lane;
        mine.outstanding++;
        mine.sent++;
        lane.outstanding++;
        lane.member.outstanding++;
        lane.usedAt = ++tick;
        lane.last = mine.to;
        request.lane = lane;
        request.place = tick;
        request.timesPosted++;
        step.posts.add(request);
    }
}
