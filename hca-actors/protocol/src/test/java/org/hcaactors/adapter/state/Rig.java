// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;

/** Two machines connected directly, without actors, threads or a clock of their own: microseconds for each test. */
public final class Rig {
    public static final RcConnection TERMS = RcConnection.DEFAULT
            .withFirstPsn(100)
            .withTimeoutCode(8)
            .withRetryCount(3)
            .withRnrRetry(3)
            .withMinRnrTimerCode(1);

    /** Steps after which a test that does not become idle has failed. */
    private static final int MAX_STEPS = 20_000;

    public final Side a;
    public final Side b;
    public final List<Packet> wire = new ArrayList<>();
    public final RcConnection attributes;
    public long now;
    public boolean answersLeases = true;

    /** Whether a packet from that side arrives. */
    public BiPredicate<Side, Packet> lets = (from, packet) -> true;

    public Rig() {
        this(TERMS);
    }

    public Rig(RcConnection attributes) {
        this(attributes, Profile.CONNECTX_5, false);
    }

    public Rig(RcConnection attributes, Profile profile, boolean signalAll) {
        this.attributes = attributes;
        a = new Side("a", 0x11, 1, profile, signalAll);
        b = new Side("b", 0x22, 2, profile, signalAll);
        connect(a, b);
        connect(b, a);
    }

    /** Creates a rig of two machines of any transport, in RESET. */
    public Rig(Side a, Side b) {
        this.attributes = TERMS;
        this.a = a;
        this.b = b;
    }

    private void connect(Side side, Side peer) {
        side.machine.modify(attributes.toInit(), side.turn);
        readyToReceive(side, peer);
        side.machine.modify(termsOf(side).toRts(), side.turn);
    }

    public void readyToReceive(Side side, Side peer) {
        Gid gid = new Gid(peer.port.high(), peer.port.low());
        side.machine.modify(termsOf(side).toRtr(gid, peer.number), side.turn);
    }

    private RcConnection termsOf(Side side) {
        return side == a ? attributes : attributes.reversed();
    }

    /** Moves from RESET to RTS again. */
    public void reconnect(Side side) {
        side.machine.modify(QpModify.to(QpState.RESET), side.turn);
        connect(side, peer(side));
    }

    public Side peer(Side side) {
        return side == a ? b : a;
    }

    /** Runs everything that happens without time passing. */
    public void run() {
        int steps = 0;
        while (step(a) | step(b)) {
            if (++steps > MAX_STEPS) {
                throw new AssertionError("never quiet: " + wire.subList(wire.size() - 20, wire.size()));
            }
        }
    }

    /** Runs one side alone: what it sends stays in its {@code out}. */
    public void run(Side side) {
        int steps = 0;
        while (side.machine.transmit(64, side.at(now)) > 0 | answerLeases(side)) {
            if (++steps > MAX_STEPS) {
                throw new AssertionError("never quiet: " + side.out.size() + " packets");
            }
        }
    }

    private boolean step(Side side) {
        boolean moved = side.machine.transmit(64, side.at(now)) > 0;
        moved |= answerLeases(side);
        side.machine.transmit(64, side.at(now));
        Side peer = peer(side);
        while (!side.out.isEmpty()) {
            Packet packet = side.out.remove();
            wire.add(packet);
            if (lets.test(side, packet)) {
                peer.machine.receive(packet, peer.at(now));
            }
        }
        side.machine.endTurn();
        return moved;
    }

    public boolean answerLeases(Side side) {
        boolean moved = false;
        while (answersLeases && !side.asked.isEmpty()) {
            int key = side.asked.remove();
            Lease lease = side.keys.get(key);
            if (lease == null) {
                side.machine.leaseRefused(key, new Denial.Unregistered(), side.at(now));
                side.machine.transmit(64, side.at(now));
            } else {
                side.machine.leaseGranted(lease, side.at(now));
            }
            moved = true;
        }
        return moved;
    }

    /** Runs, and advances time from deadline to deadline, until no deadline is left. */
    public void runToQuiet() {
        run();
        int deadlines = 0;
        for (long next = nextDeadline(); next != Long.MAX_VALUE; next = nextDeadline()) {
            if (++deadlines > 1000) {
                throw new AssertionError("deadlines for ever: " + a.snapshot() + ", " + b.snapshot());
            }
            now = Math.max(now, next);
            a.machine.timeout(a.at(now));
            b.machine.timeout(b.at(now));
            run();
        }
    }

    public long nextDeadline() {
        return Math.min(a.machine.nextDeadline(), b.machine.nextDeadline());
    }

    public List<Opcode> opcodes() {
        return wire.stream().map(Packet::opcode).toList();
    }

    public long count(Opcode opcode) {
        return opcodes().stream().filter(opcode::equals).count();
    }

    /** Returns the syndromes of the acknowledgements on the wire, in order. */
    public List<Integer> syndromes() {
        return wire.stream()
                .filter(p -> p.opcode() == Opcode.RC_ACKNOWLEDGE)
                .map(p -> p.aeth().syndrome())
                .toList();
    }

    public long naks() {
        return syndromes().stream().filter(s -> !Syndrome.isAck(s)).count();
    }

    /** Delivers a constructed request to {@code to}. */
    public void inject(Side to, Opcode opcode, int psn, int payloadBytes, ExtendedHeader... headers) {
        byte[] bytes = new byte[payloadBytes];
        inject(to, opcode, psn, Octets.wrap(bytes, 0, payloadBytes), headers);
    }

    public void inject(Side to, Opcode opcode, int psn, Octets payload, ExtendedHeader... headers) {
        receive(to, request(to, opcode, psn, payload, headers));
    }

    public void receive(Side to, Packet packet) {
        to.machine.receive(packet, to.at(now));
    }

    /** Creates a packet of the side's peer. */
    public Packet request(Side to, Opcode opcode, int psn, Octets payload, ExtendedHeader... headers) {
        Side from = peer(to);
        QpSettings settings = new QpSettings(from.number, 1, false);
        settings.destinationQp = to.number;
        GlobalRoute path = GlobalRoute.to(new Gid(to.port.high(), to.port.low()));
        Headers on = Headers.ofConnection(settings, from.local, path, true, opcode.transport());
        return on.packet(opcode.operation(), psn, true, false, List.of(headers), payload);
    }

    /** Delivers a response to a that its peer did not send. */
    public void answers(int psn, int syndrome) {
        inject(a, Opcode.RC_ACKNOWLEDGE, psn, Octets.NONE, new ExtendedHeader.Aeth(syndrome, 0));
    }

    /** {@link #answers}, and runs a's reaction. */
    public void hears(int psn, int syndrome) {
        answers(psn, syndrome);
        run();
    }

    /** Sets the time to {@code nanos} and runs a's timer. */
    public void passes(long nanos) {
        now = nanos;
        a.machine.timeout(a.at(now));
        run();
    }

    /** Creates a WRITE from a to b. */
    public RdmaWrite write(long id, int bytes) {
        return write(id, 0, bytes);
    }

    /** Creates a WRITE from that offset of a to the same offset of b. */
    public RdmaWrite write(long id, int offset, int bytes) {
        return RdmaWrite.of(id, a.slice(offset, bytes), b.remote(offset)).withSignaled();
    }

    /** Creates a READ from the beginning of b to the 20,000th byte of a. */
    public RdmaRead read(long id, int bytes) {
        return RdmaRead.of(id, a.slice(20_000, bytes), b.remote(0)).withSignaled();
    }

    public void fill(Side side, long offset, int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed + i * 31);
        }
        side.memory.write(offset, bytes);
    }

    public boolean areReady() {
        return a.machine.state() == QpState.RTS && b.machine.state() == QpState.RTS;
    }

    public static AccessFlags only(org.hcaactors.api.memory.Access... rights) {
        return AccessFlags.of(rights);
    }
}
