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

/** A queue pair as the walk sees it: its possible states, its peer, and what might have broken it. */
final class WalkQueuePair extends WalkObjects.HandleObject<QueuePair> {
    /** A call of modify; steps are in order of execution. */
    private record Step(StateMove move, Call call) {}

    final Transport transport;
    final WalkObjects.Domain domain;
    final WalkObjects.CqModel sends;
    final WalkObjects.CqModel receives;
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
            WalkObjects.CqModel sends,
            WalkObjects.CqModel receives,
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
            WalkObjects.CqModel sends,
            WalkObjects.CqModel receives,
            Optional<WalkObjects.Shared> shared) {
        List<WalkObject> all = new ArrayList<>(List.of(domain, sends, receives));
        shared.ifPresent(all::add);
        return all;
    }

    /** True if no modify was called on it yet. */
    boolean isFresh() {
        return steps.isEmpty();
    }

    void moving(StateMove move, Call call) {
        steps.add(new Step(move, call));
    }

    /** Sets the peer: both get matching attributes, once, and send to no other queue pair. */
    void agreesWith(WalkQueuePair other, boolean ackNeverTimesOut) {
        peer = Optional.of(other);
        hasNoTimeout = ackNeverTimesOut;
    }

    /** Records that it may get a peer that does not know it. */
    void meetsStrangers() {
        strangers = true;
    }

    /** Records that a message on it or its peer was a rendezvous: requests that the walk does not post may fail. */
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

    /** True if a lost answer causes no retransmission. */
    boolean hasNoTimeout() {
        return hasNoTimeout;
    }

    /** Returns the number of RESETs begun: what was posted before one may disappear without completion. */
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

    /** Returns the states it may be in when that call is executed. */
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

    /** True if a move to that state succeeded, and no RESET has begun since. */
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

    /** True if a move to that state has begun, and no RESET has certainly followed. */
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

    /** Returns the number of RESETs complete before that moment. */
    int epochsOverBefore(int moment) {
        return (int) steps.stream()
                .filter(step -> step.move == StateMove.RESET && step.call.succeeded() && step.call.endedBefore(moment))
                .count();
    }

    /**
     * True if its send queue may be full. The slot of a silent request is freed with the next one that reports, and that one's
     * when its completion is taken (rule post-slot); a completion lost by a full completion queue frees nothing. During a RESET
     * a stage may report the drop of its request before its slot is free.
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

    /** True if its receive queue may be full. */
    boolean mayBeFullOfReceives() {
        return receives.mayHaveLost()
                || posted.stream().filter(request -> !request.isOver()).count() >= receiveLength;
    }

    /** Reserves one of the posted receives for a message of the peer; false if there may be none left. */
    boolean promiseReceive() {
        pending++;
        return shared.isEmpty() && pending <= posted.size();
    }

    /** True if it was moved to ERR or RESET, or closed. */
    boolean wasMeantToStop() {
        return wasCloseRequested() || countOf(StateMove.ERR) > 0 || countOf(StateMove.RESET) > 0;
    }

    @Override
    String history() {
        return super.history() + ", " + transport + ", moves " + steps
                + peer.map(with -> ", with " + with.name()).orElse("")
                + ",\n    requests " + requests + ",\n    receives " + posted;
    }
}
