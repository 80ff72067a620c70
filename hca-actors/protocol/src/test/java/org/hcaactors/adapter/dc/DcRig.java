// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.dc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.hcaactors.adapter.dc.DcIngress.Answered;
import org.hcaactors.adapter.dc.DcIngress.Disposition;
import org.hcaactors.adapter.dc.DcIngress.Opens;
import org.hcaactors.adapter.dc.DcIngress.Served;
import org.hcaactors.adapter.number.ResponderPool;
import org.hcaactors.adapter.number.ResponderPool.Slot;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.DatagramPath;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/** Initiators, and targets with their responders, connected directly, without actors, threads or a clock of their own. */
final class DcRig {
    static final long KEY = 0x1122_3344_5566_7788L;
    static final int FIRST_PSN = 100;
    static final long IDLE = 64_000;
    static final long LIFETIME = 1_000_000;
    /** Timeout of {@link #TERMS}: 4.096 us shifted by 8. */
    static final long TIMEOUT = 4096L << 8;

    static final RcConnection TERMS = RcConnection.DEFAULT
            .withSendPsn(FIRST_PSN)
            .withTimeoutCode(8)
            .withRetryCount(3)
            .withRnrRetry(3)
            .withMinRnrTimerCode(12);

    static final DcTargetGrants TARGET = attributes(64, 0, false);

    private static final int MAX_STEPS = 20_000;

    final List<TargetSide> targets = new ArrayList<>();
    final List<Side> initiators = new ArrayList<>();
    final List<Packet> wire = new ArrayList<>();
    /** Whether a packet arrives. */
    BiPredicate<Integer, Packet> lets = (nth, packet) -> true;

    long now;

    /** A DC target with a host of its own. */
    final class TargetSide {
        final int number;
        final Side host;
        final DcTargetMachine machine;
        final ResponderPool pool;
        final Map<Slot, Side> responders = new LinkedHashMap<>();
        /** All responders that ever existed. */
        final List<Side> all = new ArrayList<>();

        final List<Disposition> fates = new ArrayList<>();
        final Deque<Packet> out = new ArrayDeque<>();

        TargetSide(int number, DcTargetGrants attributes, int responders) {
            this.number = number;
            host = new Side("host " + number, number, number, Profile.CONNECTX_5, false);
            pool = new ResponderPool(responders);
            machine = new DcTargetMachine(number, 1, attributes, Profile.CONNECTX_5, host.local, pool);
            machine.modify(TERMS.toInit());
            machine.modify(QpModify.to(
                    QpState.RTR,
                    new QpAttribute.MinRnrTimer(12),
                    new QpAttribute.Av(AddressVector.to(gid(host))),
                    new QpAttribute.Mtu(PathMtu.BYTES_1024)));
        }

        void arrive(Packet packet) {
            Disposition fate = machine.arrived(packet, 0, now);
            fates.add(fate);
            if (fate instanceof Opens opens) {
                open(opens).machine.receive(packet, all.getLast().at(now));
            } else if (fate instanceof Served served) {
                Side by = Objects.requireNonNull(responders.get(served.by()));
                by.machine.receive(packet, by.at(now));
            } else if (fate instanceof Answered answered) {
                out.add(machine.answer(packet, answered));
            }
        }

        private Side open(Opens opens) {
            Side made = new Side(
                    "responder " + opens.by().sessionId(),
                    number,
                    number,
                    QpType.DC_TGT,
                    true,
                    Profile.CONNECTX_5,
                    QpCapacity.of(0).withMaxSge(0).withMaxInlineBytes(0).withMaxAtomicBytes(0),
                    QpDescription.Options.DEFAULT,
                    Optional.of(machine.session(opens)));
            for (QpModify step : machine.bringUp(opens)) {
                made.machine.apply(step, made.at(now));
            }
            responders.put(opens.by(), made);
            all.add(made);
            return made;
        }

        /** Removes responders that have finished. */
        private boolean reap() {
            boolean moved = false;
            for (Slot slot : List.copyOf(responders.keySet())) {
                Side side = Objects.requireNonNull(responders.get(slot));
                if (side.machine.state() == QpState.ERR && side.out.isEmpty()) {
                    int expected = side.machine.snapshot().receivePsn();
                    Optional<DcIngress.Waiting> again = machine.ingress()
                            .ended(slot, expected, !side.machine.report().wasDisconnected(), now);
                    responders.remove(slot);
                    machine.ingress().responderEnded(slot);
                    again.ifPresent(next -> arrive(next.connect()));
                    moved = true;
                }
            }
            return moved;
        }

        /** Sum of the atomics on the first word, over all responders that existed. */
        long sum() {
            return all.stream().mapToLong(each -> each.memory.readLong(0)).sum();
        }

        List<Class<?>> fateKinds() {
            List<Class<?>> kinds = new ArrayList<>();
            fates.forEach(fate -> kinds.add(fate.getClass()));
            return kinds;
        }
    }

    static DcTargetGrants attributes(int responders, int spared, boolean full) {
        return new DcTargetGrants(1, KEY, responders, spared, full, 64, 4 * IDLE, LIFETIME);
    }

    TargetSide target(DcTargetGrants attributes) {
        return target(attributes, 64);
    }

    TargetSide target(DcTargetGrants attributes, int responders) {
        TargetSide made = new TargetSide(0x50 + targets.size(), attributes, responders);
        targets.add(made);
        return made;
    }

    TargetSide target() {
        return target(TARGET);
    }

    /** @param full whether it requests the full handshake */
    Side initiator(RcConnection attributes, boolean full) {
        QpDescription<?> plain = QpDescription.dc().withSignalAll();
        return initiator(attributes, (full ? plain.withFullHandshake() : plain).options());
    }

    Side initiator(RcConnection attributes, QpDescription.Options options) {
        int number = 0x11 + initiators.size();
        Side made = new Side(
                "asker " + number,
                number,
                number,
                QpType.DC_INI,
                false,
                Profile.CONNECTX_5,
                QpCapacity.DEFAULT,
                options,
                Optional.empty());
        initiators.add(made);
        open(made, attributes);
        return made;
    }

    void open(Side initiator, RcConnection attributes) {
        initiator.machine.modify(
                QpModify.to(QpState.INIT, new QpAttribute.PkeyIndex(0), new QpAttribute.Port(1)), initiator.at(now));
        initiator.machine.modify(QpModify.to(QpState.RTR, new QpAttribute.Mtu(PathMtu.BYTES_1024)), initiator.at(now));
        List<QpAttribute> changes = new ArrayList<>(attributes.toRts().attributes());
        initiator.machine.modify(new QpModify(QpState.RTS, changes), initiator.at(now));
    }

    Side initiator() {
        return initiator(false);
    }

    Side initiator(boolean full) {
        return initiator(TERMS, full);
    }

    static Gid gid(Side side) {
        return new Gid(side.port.high(), side.port.low());
    }

    void post(Side initiator, TargetSide to, RcWork work) {
        post(initiator, to, KEY, work);
    }

    void post(Side initiator, TargetSide to, long key, RcWork work) {
        post(initiator, to, key, 0, work);
    }

    void post(Side initiator, TargetSide to, long key, int stream, RcWork work) {
        DatagramPath path = DatagramPath.of(AddressVector.to(gid(to.host)), 1, initiator.local);
        initiator.post(work, new Destination.Dynamic(path, to.number, key, stream));
    }

    /** Adds one to the first word of the responder's memory. */
    void add(Side initiator, TargetSide to, long id) {
        post(initiator, to, FetchAdd.of(id, initiator.slice(8, 8), to.host.remote(0), 1));
    }

    void write(Side initiator, TargetSide to, long id) {
        post(initiator, to, RdmaWrite.of(id, initiator.slice(0, 8), to.host.remote(64)));
    }

    // --- running ---

    /** Runs everything that happens without time passing. */
    void run() {
        int steps = 0;
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Side initiator : initiators) {
                moved |= step(initiator);
            }
            for (TargetSide asked : targets) {
                for (Side responder : List.copyOf(asked.responders.values())) {
                    moved |= step(responder);
                }
                moved |= deliver(asked.out);
                moved |= asked.reap();
            }
            if (++steps > MAX_STEPS) {
                throw new AssertionError("never quiet: " + wire.subList(wire.size() - 20, wire.size()));
            }
        }
    }

    private boolean step(Side side) {
        Rig rig = new Rig(side, side);
        rig.now = now;
        boolean moved = side.machine.transmit(64, side.at(now)) > 0;
        moved |= rig.answerLeases(side);
        moved |= deliver(side.out);
        side.machine.endTurn();
        return moved;
    }

    private boolean deliver(Deque<Packet> out) {
        boolean moved = !out.isEmpty();
        while (!out.isEmpty()) {
            Packet packet = out.remove();
            wire.add(packet);
            if (lets.test(wire.size(), packet)) {
                arrive(packet);
            }
        }
        return moved;
    }

    /** Delivers a packet to its destination. */
    void arrive(Packet packet) {
        for (TargetSide asked : targets) {
            if (asked.host.port.equals(packet.route().destination())) {
                asked.arrive(packet);
            }
        }
        for (Side initiator : initiators) {
            if (initiator.port.equals(packet.route().destination())) {
                initiator.machine.receive(packet, initiator.at(now));
            }
        }
    }

    long nextDeadline() {
        long next = Long.MAX_VALUE;
        for (Side initiator : initiators) {
            next = Math.min(next, initiator.machine.nextDeadline());
        }
        for (TargetSide asked : targets) {
            next = Math.min(next, asked.machine.ingress().nextDeadline());
            for (Side responder : asked.responders.values()) {
                next = Math.min(next, responder.machine.nextDeadline());
            }
        }
        return next;
    }

    /** Advances time from deadline to deadline until that moment. */
    void runUntil(long until) {
        run();
        for (long next = nextDeadline(); next <= until; next = nextDeadline()) {
            now = Math.max(now, next);
            tick();
            run();
        }
        now = Math.max(now, until);
    }

    void runToQuiet() {
        run();
        int deadlines = 0;
        for (long next = nextDeadline(); next != Long.MAX_VALUE; next = nextDeadline()) {
            if (++deadlines > 1000) {
                throw new AssertionError("deadlines for ever");
            }
            now = Math.max(now, next);
            tick();
            run();
        }
    }

    private void tick() {
        initiators.forEach(initiator -> initiator.machine.timeout(initiator.at(now)));
        for (TargetSide asked : targets) {
            asked.machine.ingress().advance(now);
            asked.responders.values().forEach(each -> each.machine.timeout(each.at(now)));
        }
    }

    // --- the wire ---

    List<Operation> operations() {
        return wire.stream().map(Packet::operation).toList();
    }

    List<Packet> of(Operation operation) {
        return wire.stream().filter(packet -> packet.operation() == operation).toList();
    }

    /** Loses the n-th packet of that operation, from 1. */
    void lose(Operation operation, int... nths) {
        int[] seen = {0};
        List<Integer> lost = new ArrayList<>();
        for (int nth : nths) {
            lost.add(nth);
        }
        lets = (at, packet) -> packet.operation() != operation || !lost.contains(++seen[0]);
    }

    void loseAll() {
        lets = (nth, packet) -> false;
    }

    void loseNothing() {
        lets = (nth, packet) -> true;
    }

    static LocalPort port(TargetSide of) {
        return of.host.local;
    }
}
