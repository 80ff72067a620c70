// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.lab.pair.Transport;

/** A queue pair as the walk sees it: in which states it may be, with whom it speaks, and what might have broken it. */
final class WalkQueuePair extends WalkObjects.Made<QueuePair> {
    /** A call of modify, in the order in which they are carried out. */
    private record Step(StateMove move, Call call) {}

    final Transport transport;
    final WalkObjects.Domain domain;
    final WalkObjects.Ring sends;
    final WalkObjects.Ring receives;
    final Optional<WalkObjects.Shared> shared;
    final int sendLength;
    final int receiveLength;
    final List<Request> requests = new ArrayList<>();
    final List<Request> posted = new ArrayList<>();
    final Set<Gid> groups = new LinkedHashSet<>();

    private final List<Step> steps = new ArrayList<>();
    private final List<AccessFlags> rights = new ArrayList<>();
    private Optional<WalkQueuePair> peer = Optional.empty();
    private boolean strangers;
    private boolean hasNoTimeout;
    private boolean fetches;
    private boolean destroyed;
    private int pending;

    WalkQueuePair(
            String name,
            Call making,
            Transport transport,
            WalkObjects.Domain domain,
            WalkObjects.Ring sends,
            WalkObjects.Ring receives,
            Optional<WalkObjects.Shared> shared,
            int sendLength,
            int receiveLength) {
        super(name, making, domain.context, used(domain, sends, receives, shared));
        this.transport = transport;
        this.domain = domain;
        this.sends = sends;
        this.receives = receives;
        this.shared = shared;
        this.sendLength = sendLength;
        this.receiveLength = receiveLength;
    }

    private static List<WalkObject> used(
            WalkObjects.Domain domain,
            WalkObjects.Ring sends,
            WalkObjects.Ring receives,
            Optional<WalkObjects.Shared> shared) {
        List<WalkObject> all = new ArrayList<>(List.of(domain, sends, receives));
        shared.ifPresent(all::add);
        return all;
    }

    /** Nothing was done to it yet. */
    boolean isFresh() {
        return steps.isEmpty();
    }

    void moving(StateMove move, Call call) {
        steps.add(new Step(move, call));
    }

    /** Both will be told the same terms, once, and speak with nobody else. */
    void agreesWith(WalkQueuePair other, boolean ackNeverTimesOut) {
        peer = Optional.of(other);
        hasNoTimeout = ackNeverTimesOut;
    }

    /** It will be told of a peer that may not know of it. */
    void meetsStrangers() {
        strangers = true;
    }

    /** A message on it, or its peer, was a rendezvous: requests that the walk does not post may fail. */
    void fetches() {
        fetches = true;
        peer.ifPresent(other -> other.fetches = true);
    }

    boolean comparesTags() {
        return shared.filter(TagQueue.class::isInstance).isPresent();
    }

    boolean mayFetch() {
        return fetches;
    }

    void destroyedUnflushed() {
        destroyed = true;
    }

    boolean wasDestroyedUnflushed() {
        return destroyed;
    }

    void allows(AccessFlags remote) {
        rights.add(remote);
    }

    Optional<WalkQueuePair> peer() {
        return peer;
    }

    boolean speaksWithStrangers() {
        return strangers || peer.isEmpty();
    }

    /** A lost answer is not asked for again. */
    boolean hasNoTimeout() {
        return hasNoTimeout;
    }

    /** RESETs that were begun: what was posted before one may disappear without completion. */
    int epoch() {
        return countOf(StateMove.RESET);
    }

    private int countOf(StateMove move) {
        return (int) steps.stream().filter(step -> step.move == move).count();
    }

    boolean mayRefuse(Access right) {
        return rights.stream().anyMatch(each -> !each.allows(right)) || rights.isEmpty();
    }

    boolean refuses(Access right) {
        return rights.stream().noneMatch(each -> each.allows(right));
    }

    /** In which it may be when that call is carried out. */
    Set<QpState> statesBefore(Call call, boolean mayBreak) {
        Set<QpState> states = EnumSet.of(QpState.RESET);
        for (Step step : steps) {
            spread(states, mayBreak);
            if (step.call == call) {
                break;
            }
            states = after(step, states);
        }
        return states;
    }

    Set<QpState> states(boolean mayBreak) {
        Set<QpState> states = EnumSet.of(QpState.RESET);
        for (Step step : steps) {
            spread(states, mayBreak);
            states = after(step, states);
        }
        spread(states, mayBreak);
        return states;
    }

    private static Set<QpState> after(Step step, Set<QpState> before) {
        Set<QpState> after = EnumSet.noneOf(QpState.class);
        for (QpState state : before) {
            if (!step.call.wasRefused() && step.move.isLegalFrom(state)) {
                after.add(step.move.target());
            }
            if (!step.call.succeeded() && (step.move.mayBeRefusedIn(state) || step.call.mayWantResources())) {
                after.add(state);
            }
        }
        return after;
    }

    private void spread(Set<QpState> states, boolean mayBreak) {
        if (mayBreak && !states.equals(EnumSet.of(QpState.RESET))) {
            states.add(QpState.ERR);
            if (!transport.isReliable() && (states.contains(QpState.RTS) || states.contains(QpState.SQD))) {
                states.add(QpState.SQE);
            }
        }
    }

    /** A move to that state was carried out, and no RESET was begun since. */
    boolean hasSurelyBeen(QpState state) {
        for (Step step : steps.reversed()) {
            if (step.move == StateMove.RESET) {
                return false;
            }
            if (step.move.target() == state && step.call.succeeded()) {
                return true;
            }
        }
        return false;
    }

    /** A move to that state was begun, and no RESET is certain to have come since. */
    boolean mayHaveBeen(QpState state, int moment) {
        for (Step step : steps.reversed()) {
            if (step.move == StateMove.RESET && step.call.succeeded() && step.call.endedBefore(moment)) {
                return false;
            }
            if (step.move.target() == state && !step.call.wasRefused()) {
                return true;
            }
        }
        return false;
    }

    /** RESETs that were over before that moment. */
    int epochsOverBefore(int moment) {
        return (int) steps.stream()
                .filter(step -> step.move == StateMove.RESET && step.call.succeeded() && step.call.endedBefore(moment))
                .count();
    }

    /**
     * Its send queue may have no place left. A silent request gives its own back with the next that reports, and that when
     * its completion is taken (rule post-slot); what a full completion queue lost gives nothing back. While a RESET is carried
     * out, whoever waits for a request may hear that it was dropped before its place is free.
     */
    boolean mayBeFull() {
        int taken = 0;
        boolean reported = false;
        boolean resetting = steps.stream().anyMatch(step -> step.move == StateMove.RESET && step.call.isUnderWay());
        for (Request request : requests.reversed()) {
            if (request.report != Request.Report.SILENT) {
                reported = request.isOver() && !resetting;
            }
            taken += reported && request.isOver() ? 0 : 1;
        }
        return taken >= sendLength || sends.mayHaveLost();
    }

    /** Its receive queue may have no place left. */
    boolean mayBeFullOfReceives() {
        return receives.mayHaveLost()
                || posted.stream().filter(request -> !request.isOver()).count() >= receiveLength;
    }

    /** A message of the peer takes one of the receives that stand here; false if there may be none left for it. */
    boolean promiseReceive() {
        pending++;
        return shared.isEmpty() && pending <= posted.size();
    }

    /** It was told to stop, or to go. */
    boolean wasMeantToStop() {
        return wasToldToGo() || countOf(StateMove.ERR) > 0 || countOf(StateMove.RESET) > 0;
    }

    @Override
    String history() {
        return super.history() + ", " + transport + ", moves " + steps
                + peer.map(with -> ", with " + with.name()).orElse("")
                + ",\n    requests " + requests + ",\n    receives " + posted;
    }
}
