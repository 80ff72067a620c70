// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
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

/** Queue pairs through their states: pairs that agree on their terms, and single ones that are told what may not fit. */
final class ConnectionSteps {
    static final int QKEY = 0x1234_5678;
    private static final int PSNS = 1 << 24;
    private static final int BEFORE_THE_WRAP = 20;
    /** On Soft-RoCE. */
    private static final int SEVEN_IS_FOR_EVER = 7;

    private static final int OUT_OF_RANGE = 32;
    private static final AccessFlags READ_ONLY = AccessFlags.of(Access.REMOTE_READ);

    private final Scene scene;

    ConnectionSteps(Scene scene) {
        this.scene = scene;
    }

    /** Two that nothing was done to yet, all the way, without waiting for anything. */
    void connect() {
        scene.anyOf(fresh()).ifPresent(qp -> {
            if (qp.transport == Transport.UD) {
                qp.agreesWith(qp, false);
                for (Move move : List.of(Move.INIT, Move.RTR, Move.RTS)) {
                    datagrams(qp, move);
                }
            } else {
                List<Qp> others = fresh().stream()
                        .filter(other -> other != qp && other.transport == qp.transport)
                        .toList();
                scene.anyOf(likely(qp, others)).ifPresent(other -> connect(qp, other));
            }
        });
    }

    /** Who compares tags mostly speaks with one who does. */
    private List<Qp> likely(Qp qp, List<Qp> others) {
        List<Qp> alike = others.stream().filter(Qp::comparesTags).toList();
        return qp.comparesTags() && !alike.isEmpty() && !scene.oneIn(4) ? alike : others;
    }

    private List<Qp> fresh() {
        return scene.open(Qp.class).stream().filter(Qp::isFresh).toList();
    }

    private void connect(Qp one, Qp other) {
        RcConnection terms = terms();
        one.agreesWith(other, terms.timeoutCode() == 0);
        other.agreesWith(one, terms.timeoutCode() == 0);
        one.allows(terms.remoteAccess());
        other.allows(terms.remoteAccess());
        for (Move move : List.of(Move.INIT, Move.RTR, Move.RTS)) {
            connected(one, move, terms, gid(other), other.handle().number());
            connected(other, move, terms.reversed(), gid(one), one.handle().number());
        }
    }

    private RcConnection terms() {
        int psn = scene.oneIn(3) ? PSNS - scene.lots.nextInt(BEFORE_THE_WRAP) - 1 : scene.lots.nextInt(PSNS);
        int timeout = scene.oneIn(8) ? 0 : scene.ground.leastTimeoutCode() + scene.lots.nextInt(5);
        AccessFlags rights = scene.oneIn(6) ? READ_ONLY : AccessFlags.LOCAL_AND_REMOTE;
        return RcConnection.DEFAULT
                .withMtu(scene.oneIn(2) ? PathMtu.BYTES_256 : PathMtu.BYTES_1024)
                .withRemoteAccess(rights)
                .withTimeoutCode(timeout)
                .withRetryCount(scene.lots.nextInt(SEVEN_IS_FOR_EVER))
                .withRnrRetry(scene.lots.nextInt(SEVEN_IS_FOR_EVER))
                .withMinRnrTimerCode(1 + scene.lots.nextInt(12))
                .withRdAtomic(1 + scene.lots.nextInt(4))
                .withSendPsn(psn)
                .withReceivePsn(scene.oneIn(2) ? psn : scene.lots.nextInt(PSNS));
    }

    private static Gid gid(Qp qp) {
        return qp.domain.context.program.adapter.gid();
    }

    /** Any move of any queue pair, with attributes that would fit; its peer's address may be stale, or nobody's. */
    void move() {
        scene.pick(Qp.class).ifPresent(qp -> {
            Move move = scene.any(List.of(
                    Move.INIT,
                    Move.RTR,
                    Move.RTS,
                    Move.RESUME,
                    Move.RESUME,
                    Move.SQD,
                    Move.SQD,
                    Move.ERR,
                    Move.RESET,
                    Move.NONSENSE));
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

    private void single(Qp qp, Move move) {
        if (move == Move.INIT || move == Move.RTR || move == Move.RTS) {
            qp.meetsStrangers();
            qp.peer().ifPresent(Qp::meetsStrangers);
            qp.allows(AccessFlags.LOCAL_AND_REMOTE);
        }
        Adapter to = scene.any(scene.ground.adapters());
        int number = scene.pick(Qp.class, other -> other.domain.context.program.adapter == to)
                .map(other -> other.handle().number())
                .orElse(1 + scene.lots.nextInt(PSNS - 2));
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

    private void connected(Qp qp, Move move, RcConnection terms, Gid gid, int number) {
        boolean reliable = qp.transport.isReliable();
        UcConnection plain = UcEnd.termsOf(terms);
        told(
                qp,
                move,
                switch (move) {
                    case INIT -> reliable ? terms.toInit() : plain.toInit();
                    case RTR -> reliable ? terms.toReadyToReceive(gid, number) : plain.toReadyToReceive(gid, number);
                    case RTS -> reliable ? terms.toReadyToSend() : plain.toReadyToSend();
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

    private void datagrams(Qp qp, Move move) {
        told(
                qp,
                move,
                switch (move) {
                    case INIT ->
                        QpModify.to(
                                QpState.INIT,
                                new QpAttribute.PkeyIndex(0),
                                new QpAttribute.Port(1),
                                new QpAttribute.Qkey(QKEY));
                    case RTS -> QpModify.to(QpState.RTS, new QpAttribute.SendPsn(0));
                    case NONSENSE -> QpModify.to(QpState.RTS, new QpAttribute.DestinationQp(1));
                    case RTR, RESUME, SQD, ERR, RESET -> QpModify.to(move.target());
                });
    }

    private void told(Qp qp, Move move, QpModify change) {
        Call call = scene.journal.begin("move " + qp.name() + " by " + move, List.of(qp));
        qp.moving(move, call);
        List<Request> before = new ArrayList<>(qp.requests);
        before.addAll(qp.posted);
        scene.journal.later(
                call, ended -> judged(qp, move, ended), () -> qp.handle().modify(change), done -> {
                    if (move == Move.RESET) {
                        before.stream()
                                .filter(request -> request.report != Request.Report.STAGE)
                                .forEach(scene.requests::cutOff);
                    }
                });
    }

    private AllowedAnswer judged(Qp qp, Move move, Call call) {
        Set<QpState> states = qp.statesBefore(call, scene.requests.ends().mayHaveBroken(qp));
        boolean legal = states.stream().anyMatch(move::isLegalFrom);
        boolean illegal = states.stream().anyMatch(move::mayBeRefusedIn);
        return Outcomes.using(call, qp).orRefusedIf(illegal, Errno.EINVAL).onlyRefusedIf(!legal);
    }

    void query() {
        scene.pick(Qp.class).ifPresent(qp -> {
            Call call = scene.journal.begin("query " + qp.name(), List.of(qp));
            scene.journal.later(
                    call, ended -> Outcomes.using(call, qp), () -> qp.handle().query(), snapshot -> {
                        // The state is its machine's own word; that it moves as told shows in what comes of the next
                        // move.
                        if (snapshot.sendPsn() < 0 || snapshot.sendPsn() >= PSNS) {
                            throw scene.journal.wrong(qp + " is at PSN " + snapshot.sendPsn(), List.of(qp));
                        }
                    });
        });
    }

    void group() {
        scene.pick(Qp.class, qp -> qp.transport == Transport.UD).ifPresent(qp -> {
            Gid group = groupOf(scene);
            UdQueuePair handle = (UdQueuePair) qp.handle();
            boolean member = qp.groups.contains(group);
            boolean joins = scene.oneIn(2);
            Call call = scene.journal.begin((joins ? "join by " : "leave by ") + qp.name(), List.of(qp));
            if (joins) {
                qp.groups.add(group);
            } else {
                qp.groups.remove(group);
            }
            scene.journal.later(
                    call,
                    ended -> Outcomes.using(ended, qp)
                            .orRefusedIf(!joins && !member, Errno.EINVAL)
                            .onlyRefusedIf(!joins && !member),
                    () -> joins ? handle.attachMulticast(group) : handle.detachMulticast(group),
                    done -> {});
        });
    }

    static Gid groupOf(Scene scene) {
        return Gid.ofIpv4(239, 7, 7, 1 + scene.lots.nextInt(2));
    }
}
