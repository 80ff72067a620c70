// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;

/**
 * Two RC machines that both post requests, over a faulty wire; every packet and the final state are compared with
 * {@link RcScript}.
 */
final class RcConversation {
    /**
     * Faults of the wire and the hosts.
     *
     * @param loss rate of lost packets, 0 to 1
     * @param copies rate of packets that arrive twice, 0 to 1
     * @param jitter maximum delay of a packet in nanoseconds, so that others overtake it
     * @param receivesEvery maximum nanoseconds between two receives; 0 posts all at the beginning
     * @param leasesTake maximum nanoseconds until a lease is granted
     * @param revocations number of leases revoked during the run
     * @param drains number of times that a send queue is drained and resumed
     */
    record WireProfile(
            double loss, double copies, long jitter, long receivesEvery, long leasesTake, int revocations, int drains) {
        static final WireProfile LOSSLESS = new WireProfile(0, 0, 0, 0, 0, 0, 0);
        static final WireProfile LOSSY = new WireProfile(0.08, 0.08, 5000, 0, 0, 0, 0);

        WireProfile withReceivesEvery(long nanos) {
            return new WireProfile(loss, copies, jitter, nanos, leasesTake, revocations, drains);
        }

        WireProfile withLeases(long nanos, int taken) {
            return new WireProfile(loss, copies, jitter, receivesEvery, nanos, taken, drains);
        }

        WireProfile withDrains(int count) {
            return new WireProfile(loss, copies, jitter, receivesEvery, leasesTake, revocations, count);
        }
    }

    private record Event(long at, long order, Runnable what) {}

    private static final int LATENCY = 1000;
    private static final int MAX_EVENTS = 20_000;

    final Rig rig;
    final RcScript fromA;
    final RcScript fromB;

    private final SplittableRandom random;
    private final WireProfile weather;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private final byte[] endOfA;
    private final byte[] endOfB;
    private final long[] deadlines = {Long.MAX_VALUE, Long.MAX_VALUE};
    private long order;
    private int granted;

    RcConversation(long seed, RcConnection attributes, Profile profile, WireProfile weather, int longest) {
        this.weather = weather;
        random = new SplittableRandom(seed);
        rig = new Rig(attributes, profile, false);
        fillSource(rig.a);
        fillSource(rig.b);
        endOfA = rig.a.memory.read(0, Side.MEMORY);
        endOfB = rig.b.memory.read(0, Side.MEMORY);
        int mtu = attributes.mtu().bytes();
        fromA = new RcScript(rig.a, rig.b, endOfA, endOfB, attributes.sendPsn(), mtu, longest, random.nextLong());
        fromB = new RcScript(rig.b, rig.a, endOfB, endOfA, attributes.receivePsn(), mtu, longest, random.nextLong());
    }

    private void fillSource(Side side) {
        byte[] source = new byte[RcScript.SOURCE_BYTES];
        random.nextBytes(source);
        side.memory.write(0, source);
    }

    /** Posts that many requests on both sides, and runs until everything is idle. */
    void hold(int requests) {
        for (RcScript script : List.of(fromA, fromB)) {
            script.draw(requests);
            plan(script);
        }
        int handled = 0;
        settle();
        while (!events.isEmpty() || rig.nextDeadline() != Long.MAX_VALUE) {
            if (++handled > MAX_EVENTS) {
                throw new AssertionError("does not come to rest");
            }
            Event next = events.peek();
            if (next == null || rig.nextDeadline() < next.at) {
                rig.now = rig.nextDeadline();
                timeout(rig.a);
                timeout(rig.b);
            } else {
                events.remove();
                rig.now = next.at;
                next.what.run();
            }
            settle();
        }
    }

    private void timeout(Side side) {
        side.machine.timeout(side.at(rig.now));
    }

    private void at(long time, Runnable what) {
        events.add(new Event(time, order++, what));
    }

    private long upTo(long nanos) {
        return nanos == 0 ? 0 : random.nextLong(nanos);
    }

    private void plan(RcScript script) {
        long time = 0;
        for (Receive receive : script.receives) {
            time += upTo(weather.receivesEvery);
            at(time, () -> script.to.postReceive(receive));
        }
        time = 0;
        for (RcScript.Message message : script.messages) {
            time += random.nextInt(3) == 0 ? upTo(4000) : 0;
            at(time, () -> script.from.machine.postSend(message.posted(), script.from.turn));
        }
        for (int i = 0; i < weather.revocations; i++) {
            at(upTo(60_000), () -> revoke(script.from));
        }
        for (int i = 0; i < weather.drains; i++) {
            at(upTo(60_000), () -> drain(script.from));
        }
    }

    private void revoke(Side side) {
        List<Integer> keys = List.copyOf(side.keys.keySet());
        side.machine.leaseRevoked(keys.get(random.nextInt(keys.size())), side.turn);
    }

    private void drain(Side side) {
        if (side.machine.state() == QpState.RTS) {
            side.machine.modify(QpModify.to(QpState.SQD), side.turn);
        }
        if (side.machine.snapshot().sqDraining()) {
            at(rig.now + 2000, () -> drain(side));
        } else {
            side.machine.modify(QpModify.to(QpState.RTS), side.turn);
        }
    }

    /** Runs everything that happens without time passing. */
    private void settle() {
        int turns = 0;
        while (turn(fromA, fromB) | turn(fromB, fromA)) {
            if (++turns > 1000) {
                throw new AssertionError("a moment does not end");
            }
        }
        checkTimer(0, rig.a);
        checkTimer(1, rig.b);
    }

    private boolean turn(RcScript own, RcScript peers) {
        Side side = own.from;
        int sent = side.machine.transmit(1 + random.nextInt(8), side.at(rig.now));
        if (sent != side.out.size()) {
            throw new AssertionError(sent + " packets are told, and sent are " + side.out);
        }
        while (!side.out.isEmpty()) {
            Packet packet = side.out.remove();
            rig.wire.add(packet);
            if (packet.operation().isResponse()) {
                peers.checkAnswer(packet, rig.attributes.minRnrTimerCode());
            } else {
                own.checkRequest(packet);
            }
            carry(packet, own.to);
        }
        while (!side.asked.isEmpty()) {
            int key = side.asked.remove();
            at(rig.now + upTo(weather.leasesTake), () -> grant(side, side.lease(key)));
        }
        side.machine.endTurn();
        return sent > 0;
    }

    private void grant(Side side, Lease lease) {
        granted++;
        side.machine.leaseGranted(lease, side.at(rig.now));
    }

    private void carry(Packet packet, Side to) {
        int arrivals = random.nextDouble() < weather.copies ? 2 : 1;
        for (int i = 0; i < arrivals; i++) {
            if (random.nextDouble() >= weather.loss) {
                long late = LATENCY + upTo(weather.jitter);
                at(rig.now + late, () -> to.machine.receive(packet, to.at(rig.now)));
            }
        }
    }

    /** A deadline is the timeout, or the wait of an RNR NAK, from now on; else it is unchanged. */
    private void checkTimer(int index, Side side) {
        long deadline = side.machine.nextDeadline();
        if (deadline != deadlines[index] && deadline != Long.MAX_VALUE) {
            long timeout = 4096L << rig.attributes.timeoutCode();
            long rnr = Syndrome.rnrNanos(Syndrome.rnr(rig.attributes.minRnrTimerCode()));
            assertThat(deadline - rig.now).isIn(timeout, rnr);
        }
        deadlines[index] = deadline;
    }

    // --- expected results ---

    void check() {
        assertThat(rig.areReady()).isTrue();
        check(fromA);
        check(fromB);
        assertThat(rig.a.memory.read(0, Side.MEMORY)).isEqualTo(endOfA);
        assertThat(rig.b.memory.read(0, Side.MEMORY)).isEqualTo(endOfB);
        assertThat(rig.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        checkLeases();
    }

    private void check(RcScript script) {
        Side to = script.to;
        assertThat(script.from.sends).isEqualTo(script.sends);
        assertThat(to.receives).isEqualTo(script.received);
        assertThat(to.solicited).isEqualTo(script.solicited);
        assertThat(script.from.slotsFreed).isEqualTo(script.messages.size());
        assertThat(to.counted(Counter.RX_WRITE_REQUESTS)).isEqualTo(script.messagesOf(CompletionKind.RDMA_WRITE));
        assertThat(to.counted(Counter.RX_READ_REQUESTS)).isEqualTo(script.messagesOf(CompletionKind.RDMA_READ));
        assertThat(to.counted(Counter.RX_ATOMIC_REQUESTS))
                .isEqualTo(script.messagesOf(CompletionKind.COMP_SWAP) + script.messagesOf(CompletionKind.FETCH_ADD));
        assertThat(to.events).isEmpty();
        assertThat(script.from.hasNothingToSend()).isTrue();
        assertThat(total(Counter.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(retransmissions("timeout"));
        assertThat(total(Counter.PACKET_SEQ_ERR)).isGreaterThanOrEqualTo(retransmissions("NAK PSN sequence error"));
        assertThat(total(Counter.IMPLIED_NAK_SEQ_ERR))
                .isEqualTo(retransmissions("a response is missing (implied NAK)"));
        assertThat(total(Counter.OUT_OF_BUFFER))
                .isEqualTo(rig.syndromes().stream().filter(Syndrome::isRnr).count());
    }

    private long total(Counter counter) {
        return rig.a.counted(counter) + rig.b.counted(counter);
    }

    private long retransmissions(String reason) {
        ToIntFunction<Side> of = side ->
                (int) side.retransmissions.stream().filter(reason::equals).count();
        return of.applyAsInt(rig.a) + of.applyAsInt(rig.b);
    }

    /** Each granted lease is released once, at the latest with the queue pair. */
    private void checkLeases() {
        rig.a.machine.reset(rig.a.turn);
        rig.b.machine.reset(rig.b.turn);
        assertThat(rig.a.released.size() + rig.b.released.size()).isEqualTo(granted);
    }
}
