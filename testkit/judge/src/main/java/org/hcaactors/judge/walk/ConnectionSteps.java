// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.lab.pair.Transport;
import org.hcaactors.lab.pair.UcEnd;

/**
 * Steps that change queue pair states: pairs with matching attributes, and single queue pairs with attributes that may not fit.
 */
final class ConnectionSteps {
    static final int QKEY = 0x1234_5678;
    private static final int PSNS = 1 << 24;
    private static final int BEFORE_THE_WRAP = 20;
    /** Retry count 7, which Soft-RoCE treats as unlimited. */
    private static final int SEVEN_IS_FOR_EVER = 7;

    private static final int OUT_OF_RANGE = 32;
    private static final AccessFlags READ_ONLY = AccessFlags.of(Access.REMOTE_READ);

    private final WalkContext walk;

    ConnectionSteps(WalkContext walk) {
        this.walk = walk;
    }

    /** Connects two unused queue pairs, up to RTS, without waiting for any answer. */
    void connect() {
        walk.anyOf(unconnected()).ifPresent(qp -> {
            if (qp.transport == Transport.UD) {
                qp.agreesWith(qp, false);
                for (StateMove move : List.of(StateMove.INIT, StateMove.RTR, StateMove.RTS)) {
                    datagrams(qp, move);
                }
            } else {
                List<WalkQueuePair> others = unconnected().stream()
                        .filter(other -> other != qp && other.transport == qp.transport)
                        .toList();
                walk.anyOf(likely(qp, others)).ifPresent(other -> connect(qp, other));
            }
        });
    }

    /** Prefers peers with tag matching for a queue pair with tag matching. */
    private List<WalkQueuePair> likely(WalkQueuePair qp, List<WalkQueuePair> others) {
        List<WalkQueuePair> alike =
                others.stream().filter(WalkQueuePair::comparesTags).toList();
        return qp.comparesTags() && !alike.isEmpty() && !walk.oneIn(4) ? alike : others;
    }

    private List<WalkQueuePair> unconnected() {
        return walk.open(WalkQueuePair.class).stream()
                .filter(WalkQueuePair::isFresh)
                .toList();
    }

    private void connect(WalkQueuePair one, WalkQueuePair other) {
        RcConnection attributes = attributes();
        one.agreesWith(other, attributes.timeoutCode() == 0);
        other.agreesWith(one, attributes.timeoutCode() == 0);
        one.allows(attributes.remoteAccess());
        other.allows(attributes.remoteAccess());
        for (StateMove move : List.of(StateMove.INIT, StateMove.RTR, StateMove.RTS)) {
            connected(one, move, attributes, gid(other), other.handle().number());
            connected(other, move, attributes.reversed(), gid(one), one.handle().number());
        }
    }

    private RcConnection attributes() {
        int psn = walk.oneIn(3) ? PSNS - walk.random.nextInt(BEFORE_THE_WRAP) - 1 : walk.random.nextInt(PSNS);
        int timeout = walk.oneIn(8) ? 0 : walk.environment.minTimeoutCode() + walk.random.nextInt(5);
        AccessFlags rights = walk.oneIn(6) ? READ_ONLY : AccessFlags.LOCAL_AND_REMOTE;
        return RcConnection.DEFAULT
                .withMtu(walk.oneIn(2) ? PathMtu.BYTES_256 : PathMtu.BYTES_1024)
                .withRemoteAccess(rights)
                .withTimeoutCode(timeout)
                .withRetryCount(walk.random.nextInt(SEVEN_IS_FOR_EVER))
                .withRnrRetry(walk.random.nextInt(SEVEN_IS_FOR_EVER))
                .withMinRnrTimerCode(1 + walk.random.nextInt(12))
                .withRdAtomic(1 + walk.random.nextInt(4))
                .withSendPsn(psn)
                .withReceivePsn(walk.oneIn(2) ? psn : walk.random.nextInt(PSNS));
    }

    private static Gid gid(WalkQueuePair qp) {
        return qp.domain.context.program.adapter.gid();
    }

    /** Calls modify on any queue pair with attributes that would be valid; the peer's address may be stale, or unused. */
    void move() {
        walk.pick(WalkQueuePair.class).ifPresent(qp -> {
            StateMove move = walk.any(List.of(
                    StateMove.INIT,
                    StateMove.RTR,
                    StateMove.RTS,
                    StateMove.RESUME,
                    StateMove.RESUME,
                    StateMove.SQD,
                    StateMove.SQD,
                    StateMove.ERR,
                    StateMove.RESET,
                    StateMove.NONSENSE));
            if (qp.transport == Transport.UD) {
                if (qp.isFresh()) {
                    qp.agreesWith(qp, false);
                }
                datagrams(qp, move);
            } else {
                single(qp, move);
            }
        });
    }

    private void single(WalkQueuePair qp, StateMove move) {
        if (move == StateMove.INIT || move == StateMove.RTR || move == StateMove.RTS) {
            qp.meetsStrangers();
            qp.peer().ifPresent(WalkQueuePair::meetsStrangers);
            qp.allows(AccessFlags.LOCAL_AND_REMOTE);
        }
        Adapter to = walk.any(walk.environment.adapters());
        int number = walk.pick(WalkQueuePair.class, other -> other.domain.context.program.adapter == to)
                .map(other -> other.handle().number())
                .orElse(1 + walk.random.nextInt(PSNS - 2));
        connected(
                qp,
                move,
                RcConnection.DEFAULT
                        .withTimeoutCode(4)
                        .withRetryCount(3)
                        .withRnrRetry(3)
                        .withMinRnrTimerCode(4),
                to.gid(),
                number);
    }

    private void connected(WalkQueuePair qp, StateMove move, RcConnection attributes, Gid gid, int number) {
        boolean reliable = qp.transport.isReliable();
        UcConnection plain = UcEnd.termsOf(attributes);
        modify(
                qp,
                move,
                switch (move) {
                    case INIT -> reliable ? attributes.toInit() : plain.toInit();
                    case RTR -> reliable ? attributes.toRtr(gid, number) : plain.toRtr(gid, number);
                    case RTS -> reliable ? attributes.toRts() : plain.toRts();
                    case NONSENSE -> nonsense(reliable);
                    case RESUME, SQD, ERR, RESET -> QpModify.to(move.target());
                });
    }

    private static QpModify nonsense(boolean reliable) {
        QpAttribute.RemoteAccess rights = new QpAttribute.RemoteAccess(AccessFlags.NONE);
        return reliable
                ? QpModify.to(QpState.RTS, rights, new QpAttribute.MinRnrTimer(OUT_OF_RANGE))
                : QpModify.to(QpState.RTS, rights, new QpAttribute.AlternatePath(AddressVector.toLid(1)));
    }

    private void datagrams(WalkQueuePair qp, StateMove move) {
        modify(
                qp,
                move,
                switch (move) {
                    case INIT ->
                        QpModify.to(
                                QpState.INIT,
                                new QpAttribute.PkeyIndex(0),
                                new QpAttribute.Port(1),
                                new QpAttribute.Qkey(QKey.of(QKEY)));
                    case RTS -> QpModify.to(QpState.RTS, new QpAttribute.SendPsn(0));
                    case NONSENSE -> QpModify.to(QpState.RTS, new QpAttribute.DestinationQp(1));
                    case RTR, RESUME, SQD, ERR, RESET -> QpModify.to(move.target());
                });
    }

    private void modify(WalkQueuePair qp, StateMove move, QpModify change) {
        Call call = walk.journal.begin("move " + qp.name() + " by " + move, List.of(qp));
        qp.moving(move, call);
        List<Request> before = new ArrayList<>(qp.requests);
        before.addAll(qp.posted);
        walk.journal.later(
                call, ended -> judged(qp, move, ended), () -> qp.handle().modify(change), done -> {
                    if (move == StateMove.RESET) {
                        before.stream()
                                .filter(request -> request.report != Request.Report.STAGE)
                                .forEach(walk.requests::cutOff);
                    }
                });
    }

    private AllowedAnswer judged(WalkQueuePair qp, StateMove move, Call call) {
        Set<QpState> states = qp.statesBefore(call, walk.requests.ends().mayHaveBroken(qp));
        boolean legal = states.stream().anyMatch(move::isLegalFrom);
        boolean illegal = states.stream().anyMatch(move::mayBeRefusedIn);
        return AllowedAnswers.using(call, qp).orRefusedIf(illegal, Errno.EINVAL).onlyRefusedIf(!legal);
    }

    void query() {
        walk.pick(WalkQueuePair.class).ifPresent(qp -> {
            Call call = walk.journal.begin("query " + qp.name(), List.of(qp));
            walk.journal.later(
                    call,
                    ended -> AllowedAnswers.using(call, qp),
                    () -> qp.handle().query(),
                    snapshot -> {
                        // The snapshot's state is the machine's own claim; whether it moved as required shows in the
                        // result of
                        // the next move.
                        if (snapshot.sendPsn() < 0 || snapshot.sendPsn() >= PSNS) {
                            throw walk.journal.wrong(
                                    qp + " reports the unexpected send PSN " + snapshot.sendPsn(), List.of(qp));
                        }
                    });
        });
    }

    void group() {
        walk.pick(WalkQueuePair.class, qp -> qp.transport == Transport.UD).ifPresent(qp -> {
            Gid group = groupOf(walk);
            UdQueuePair handle = (UdQueuePair) qp.handle();
            boolean member = qp.groups.contains(group);
            boolean joins = walk.oneIn(2);
            Call call = walk.journal.begin((joins ? "join by " : "leave by ") + qp.name(), List.of(qp));
            if (joins) {
                qp.groups.add(group);
            } else {
                qp.groups.remove(group);
            }
            walk.journal.later(
                    call,
                    ended -> AllowedAnswers.using(ended, qp)
                            .orRefusedIf(!joins && !member, Errno.EINVAL)
                            .onlyRefusedIf(!joins && !member),
                    () -> joins ? handle.attachMulticast(group) : handle.detachMulticast(group),
                    done -> {});
        });
    }

    static Gid groupOf(WalkContext walk) {
        return Gid.ofIpv4(239, 7, 7, 1 + walk.random.nextInt(2));
    }
}
