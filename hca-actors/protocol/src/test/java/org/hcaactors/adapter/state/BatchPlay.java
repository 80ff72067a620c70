// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.work.DatagramPath;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/** Two machines with random input by seed: work, trains with faults, responses, and state changes. */
final class BatchPlay {
    enum Kind {
        RC,
        RC_SHARED,
        XRC,
        DC
    }

    private static final int STEPS = 160;
    /** Maximum number of requests or receives before more are posted, of 128. */
    private static final int MAX = 100;

    private static final int QUEUE = 5;
    /** A key that does not exist. */
    static final int NO_KEY = 0x300_00;
    /** A key of a small part. */
    static final int SMALL_KEY = 0x400_00;

    static final int MTU = 256;
    static final int SESSION = 77;
    private static final RcConnection TERMS = RcConnection.DEFAULT
            .withMtu(PathMtu.BYTES_256)
            .withRdAtomic(4)
            .withTimeoutCode(2)
            .withRetryCount(7)
            .withRnrRetry(7)
            .withMinRnrTimerCode(1)
            .withSendPsn(0xFF_FFC0);

    private final Kind kind;
    private final Random random;
    private final DrawnWork draws;
    private final BatchFaults faults;
    private final SessionCalls calls;

    /** Both directions may use the same PSNs, so that a response and a request have the same one. */
    private final RcConnection attributes;

    private final boolean runs;
    private final List<String> book = new ArrayList<>();
    private final Journal a;
    private final Journal b;
    private final List<PagedKey> paged;
    /** Packets on their way to each side. */
    private final List<Packet> toA = new ArrayList<>();

    private final List<Packet> toB = new ArrayList<>();
    private long ids;
    /** PSN of the session's first request. */
    private int servedFrom;

    private final boolean traced;

    BatchPlay(Kind kind, long seed, boolean runs) {
        this.kind = kind;
        this.runs = runs;
        random = new Random(seed);
        attributes = TERMS.withReceivePsn(seed % 2 == 0 ? 500 : 0xFF_FFC0 + random.nextInt(3));
        traced = seed % 4 != 0;
        a = new Journal(side("a", 0x11, 1, true), book);
        b = new Journal(side("b", 0x22, 2, false), book);
        a.side.sources.supplier = Optional.of(() -> sharedReceive(a));
        b.side.sources.supplier = Optional.of(() -> sharedReceive(b));
        a.keepsPackets = seed % 2 == 0;
        b.keepsPackets = a.keepsPackets;
        for (Journal each : List.of(a, b)) {
            each.side.grant(SMALL_KEY, 1, 0, 3 * MTU, AccessFlags.LOCAL_AND_REMOTE);
            byte[] bytes = new byte[Side.MEMORY];
            random.nextBytes(bytes);
            each.side.memory.write(0, bytes);
        }
        paged = seed % 3 == 0 ? List.of(PagedKey.of(a.side), PagedKey.of(b.side)) : List.of();
        draws = new DrawnWork(random);
        faults = new BatchFaults(random, b.side.port);
        calls = new SessionCalls(random, a.side, b.side);
        connect();
    }

    private Side side(String name, int number, int host, boolean asks) {
        QpType type = switch (kind) {
            case RC, RC_SHARED -> QpType.RC;
            case XRC -> asks ? QpType.XRC_INI : QpType.XRC_TGT;
            case DC -> asks ? QpType.DC_INI : QpType.DC_TGT;
        };
        boolean serves = type == QpType.DC_TGT;
        boolean shared = kind == Kind.RC_SHARED || serves;
        Profile profile = random.nextBoolean() ? Profile.CONNECTX_5 : Profile.SOFT_ROCE;
        Side made = new Side(
                name,
                number,
                host,
                type,
                shared,
                kind == Kind.DC ? Profile.CONNECTX_5 : profile,
                QpCapacity.DEFAULT,
                QpDescription.Options.DEFAULT,
                serves ? Optional.of(new QpPlan.Session(SESSION, 0, 1, Long.MAX_VALUE / 2)) : Optional.empty(),
                runs);
        if (type == QpType.XRC_TGT) {
            made.offers(QUEUE, 1);
            made.offers(QUEUE + 1, 1);
        }
        if (shared) {
            made.grant(Side.KEY + 1, Side.SRQ_DOMAIN, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        }
        return made;
    }

    private void connect() {
        modify(a, attributes.toInit());
        modify(b, attributes.reversed().toInit());
        switch (kind) {
            case RC, RC_SHARED -> {
                modify(a, attributes.toRtr(b.side.gid(), b.side.number));
                modify(b, attributes.reversed().toRtr(a.side.gid(), a.side.number));
                modify(b, attributes.reversed().toRts());
            }
            case XRC -> {
                modify(a, attributes.toRtrAsRequester(b.side.gid(), b.side.number));
                modify(b, attributes.reversed().toRtr(a.side.gid(), a.side.number));
            }
            case DC -> {
                modify(a, QpModify.to(QpState.INIT, new QpAttribute.PkeyIndex(0), new QpAttribute.Port(1)));
                modify(a, QpModify.to(QpState.RTR, new QpAttribute.Mtu(PathMtu.BYTES_256)));
                serve(a.side.machine.snapshot().sendPsn());
            }
        }
        modify(a, attributes.toRts());
        if (kind == Kind.DC) {
            serve(a.side.machine.snapshot().sendPsn());
        }
    }

    /** In reality the responder is created on its peer's arrival; here it is ready for the first PSN. */
    private void serve(int firstPsn) {
        servedFrom = firstPsn;
        modify(b, QpModify.to(QpState.RESET));
        modify(b, attributes.toInit());
        modify(
                b,
                QpModify.to(
                        QpState.RTR,
                        new QpAttribute.Av(AddressVector.to(a.side.gid())),
                        new QpAttribute.Mtu(PathMtu.BYTES_256),
                        new QpAttribute.DestinationQp(a.side.number),
                        new QpAttribute.ReceivePsn(firstPsn),
                        new QpAttribute.MaxDestRdAtomic(4),
                        new QpAttribute.MinRnrTimer(1)));
    }

    List<String> play() {
        for (int step = 0; step < STEPS; step++) {
            step();
        }
        for (Journal each : List.of(a, b)) {
            each.write(each.side.machine.snapshot(), each.side.snapshot());
            each.write(Arrays.hashCode(each.side.memory.read(0, Side.MEMORY)));
        }
        return book;
    }

    private void step() {
        boolean failed = a.side.machine.state() == QpState.ERR || b.side.machine.state() == QpState.ERR;
        if (failed && random.nextInt(6) == 0) {
            restart();
        }
        Journal one = random.nextInt(3) == 0 ? b : a;
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> post(one);
            case 4, 5 -> receive(random.nextInt(4) == 0 ? a : b);
            case 6, 7, 8, 9 -> transmit(one);
            case 10, 11, 12 -> deliver(b, toB);
            case 13, 14 -> deliver(a, toA);
            case 15 -> passes(one);
            case 16 -> answer(a);
            case 17 -> answer(b);
            case 18 -> disturb(one);
            default -> {
                transmit(a);
                deliver(b, toB);
                answer(b);
                transmit(b);
                deliver(a, toA);
                answer(a);
            }
        }
    }

    private void begin(Journal of) {
        of.turn.begin();
    }

    private void end(Journal of) {
        of.side.machine.endTurn();
    }

    // --- work ---

    private void post(Journal to) {
        int outstanding = to.side.snapshot().waiting() + to.side.snapshot().started();
        if (outstanding > MAX || to == b && kind != Kind.RC && kind != Kind.RC_SHARED) {
            return;
        }
        int shape = random.nextInt(12);
        int count = 1 + random.nextInt(10);
        int bytes = draws.lengthOf(shape);
        begin(to);
        for (int i = 0; i < count; i++) {
            long id = ++ids;
            int drawn = random.nextInt(6) == 0 ? random.nextInt(12) : shape;
            WorkRequest work = draws.work(id, to.side, (to == a ? b : a).side, drawn, bytes);
            Octets inline = work.flags().inline() ? Octets.copyOf(to.side.memory.read(0, bytes)) : null;
            PostedRequest.Extras extras = PostedRequest.Extras.of(inline, null, destination(to), ids);
            to.side.machine.postSend(
                    new PostedRequest(work, PostedRequest.kindOf(work), work.lengthBytes(), extras), to.turn);
        }
        end(to);
    }

    private @Nullable Destination destination(Journal from) {
        return switch (kind) {
            case RC, RC_SHARED -> null;
            case XRC -> Destination.Named.sharedReceives(QUEUE + (random.nextInt(8) == 0 ? 1 : 0));
            case DC ->
                new Destination.Dynamic(
                        DatagramPath.of(AddressVector.to(b.side.gid()), 1, from.side.local), b.side.number, 1, 0);
        };
    }

    private void receive(Journal to) {
        if (kind != Kind.RC || to.receives > MAX) {
            return;
        }
        begin(to);
        for (int i = random.nextInt(14); i > 0; i--) {
            long id = ++ids;
            int bytes = random.nextInt(30) == 0 ? 100 : 8 * MTU;
            int key = random.nextInt(60) == 0 ? SMALL_KEY : Side.KEY;
            Receive receive = random.nextInt(5) == 0
                    ? Receive.of(id, to.side.slice(key, 8192, MTU / 2), to.side.slice(key, 12_288, bytes))
                    : Receive.of(id, to.side.slice(key, 8192 + 64 * (id % 32), bytes));
            to.receives += to.side.machine.postReceive(receive, to.turn) ? 1 : 0;
        }
        end(to);
    }

    // --- the wire ---

    private void transmit(Journal of) {
        begin(of);
        of.side.machine.transmit(random.nextInt(3) == 0 ? 1 + random.nextInt(8) : 64, of.turn);
        end(of);
        (of == a ? toB : toA).addAll(of.out);
        of.out.clear();
    }

    private void deliver(Journal to, List<Packet> way) {
        List<Packet> batch = new ArrayList<>(way);
        way.clear();
        if (batch.isEmpty()) {
            return;
        }
        if (kind == Kind.DC && to == b && random.nextInt(12) == 0) {
            calls.comeAmong(batch, servedFrom);
        }
        for (int many = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0; many > 0; many--) {
            faults.spoil(batch);
        }
        long[] events = new long[traced ? batch.size() : 0];
        for (int i = 0; i < events.length; i++) {
            events[i] = to.write("is brought", Journal.described(batch.get(i)));
        }
        begin(to);
        to.side.machine.receive(batch.toArray(Packet[]::new), events, to.turn);
        if (random.nextBoolean()) {
            to.side.machine.transmit(64, to.turn);
        }
        end(to);
        (to == a ? toB : toA).addAll(to.out);
        to.out.clear();
    }

    // --- other inputs ---

    private void passes(Journal of) {
        long next = Math.min(a.side.machine.nextDeadline(), b.side.machine.nextDeadline());
        long now = random.nextInt(4) == 0 && next < Long.MAX_VALUE / 4 ? next : a.now + random.nextInt(3000);
        a.now = Math.max(a.now, now);
        b.now = a.now;
        begin(of);
        of.side.machine.timeout(of.turn);
        end(of);
    }

    private @Nullable Receive sharedReceive(Journal of) {
        if (random.nextInt(12) == 0) {
            return null;
        }
        int key = kind == Kind.XRC ? Side.KEY : Side.KEY + 1;
        return Receive.of(++ids, of.side.slice(key, 8192, 8 * MTU));
    }

    private void answer(Journal of) {
        begin(of);
        QueuePairMachine machine = of.side.machine;
        while (!of.asked.isEmpty()) {
            int key = of.asked.remove();
            Lease lease = of.side.keys.get(key);
            if (lease == null || random.nextInt(60) == 0) {
                machine.leaseRefused(key, new Denial.Unregistered(), of.turn);
            } else {
                of.held.add(lease);
                machine.leaseGranted(lease, of.turn);
            }
        }
        while (!of.changes.isEmpty()) {
            machine.keyChanged(of.changes.remove(), Optional.empty(), of.turn);
        }
        while (!of.invalidations.isEmpty()) {
            machine.invalidated(of.invalidations.remove(), Optional.empty(), of.turn);
        }
        List.copyOf(of.faults.entrySet()).forEach(fault -> {
            of.faults.remove(fault.getKey());
            for (int page = 0; page < Side.MEMORY / PagedKey.PAGE; page++) {
                paged.get(of == a ? 0 : 1).comes(page);
            }
            machine.pagesServed(fault.getValue().kind(), fault.getKey(), Optional.empty(), of.turn);
        });
        end(of);
        (of == a ? toB : toA).addAll(of.out);
        of.out.clear();
    }

    private void disturb(Journal of) {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> revoke(of);
            case 4, 5, 6 -> {
                if (!paged.isEmpty()) {
                    paged.get(of == a ? 0 : 1).evict(random.nextInt(4));
                }
            }
            case 7 -> modify(of, QpModify.to(QpState.SQD));
            case 8, 9 -> modify(of, QpModify.to(QpState.RTS));
            case 10 -> modify(of, QpModify.to(QpState.ERR));
            default -> restart();
        }
    }

    private void revoke(Journal of) {
        if (!of.held.isEmpty()) {
            begin(of);
            Lease lease = of.held.get(random.nextInt(of.held.size()));
            of.side.machine.leaseRevoked(lease.grant(), of.turn);
            end(of);
        }
    }

    private void restart() {
        modify(a, QpModify.to(QpState.RESET));
        modify(b, QpModify.to(QpState.RESET));
        toA.clear();
        toB.clear();
        connect();
    }

    private void modify(Journal of, QpModify change) {
        begin(of);
        try {
            of.side.machine.modify(change, of.turn);
        } catch (VerbsException refused) {
            of.write("refuses", change.target(), String.valueOf(refused.getMessage()));
        }
        end(of);
    }
}
