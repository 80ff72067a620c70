// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages whose packets refer to the sender's memory: the receiver gets what it would get with a copy. */
class LentPayloadsTest {
    private static final int MTU = 256;
    private static final int BYTES = 40 * MTU;
    private static final int TO = 32_768;

    /** A verb whose data are at 0 of {@code a}, or of {@code b} for a READ, and arrive at {@value #TO}. */
    enum Verb {
        WRITE,
        SEND,
        READ
    }

    private final Rig rig = rig(true);

    private static Rig rig(boolean lends) {
        Rig rig = new Rig(Rig.TERMS.withMtu(PathMtu.BYTES_256));
        for (Side side : List.of(rig.a, rig.b)) {
            side.lends = lends;
            side.memory.write(0, pattern(side == rig.a ? 1 : 2, Side.MEMORY / 2));
        }
        return rig;
    }

    private static byte[] pattern(long seed, int bytes) {
        byte[] pattern = new byte[bytes];
        new Random(seed).nextBytes(pattern);
        return pattern;
    }

    private static WorkRequest work(Rig rig, Verb verb, long id, int bytes) {
        return switch (verb) {
            case WRITE ->
                RdmaWrite.of(id, rig.a.slice(0, bytes), rig.b.remote(TO)).withSignaled();
            case SEND -> Send.of(id, rig.a.slice(0, bytes)).withSignaled();
            case READ ->
                RdmaRead.of(id, rig.a.slice(TO, bytes), rig.b.remote(0)).withSignaled();
        };
    }

    private Side source(Verb verb) {
        return verb == Verb.READ ? rig.b : rig.a;
    }

    private byte[] arrived(Verb verb) {
        return rig.peer(source(verb)).memory.read(TO, BYTES);
    }

    /** Runs until the data are on their way in packets that refer to them. */
    private List<Packet> underWay(Verb verb) {
        // Both sides get their leases by a first message.
        rig.b.postReceive(Receive.of(1, rig.b.slice(TO, BYTES)));
        rig.a.post(work(rig, verb, 1, BYTES));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        rig.peer(source(verb)).memory.write(TO, new byte[BYTES]);
        rig.b.postReceive(Receive.of(2, rig.b.slice(TO, BYTES)));
        rig.a.post(work(rig, verb, 2, BYTES));
        rig.a.machine.transmit(256, rig.a.at(0));
        if (verb == Verb.READ) {
            handOver(rig.a);
            rig.b.machine.transmit(256, rig.b.at(0));
        }
        List<Packet> packets = List.copyOf(source(verb).out);
        source(verb).out.clear();
        return packets;
    }

    private void handOver(Side from) {
        while (!from.out.isEmpty()) {
            rig.receive(rig.peer(from), from.out.remove());
        }
    }

    private void deliver(Verb verb, List<Packet> packets) {
        packets.forEach(packet -> rig.receive(rig.peer(source(verb)), packet));
    }

    /** Overwrites the data. */
    private void overwrite(Verb verb) {
        source(verb).memory.write(0, new byte[BYTES]);
    }

    private static int changed(byte[] arrived, byte[] original) {
        int changed = 0;
        for (int i = 0; i < arrived.length; i++) {
            changed += arrived[i] != original[i] ? 1 : 0;
        }
        return changed;
    }

    private byte[] original(Verb verb) {
        return pattern(verb == Verb.READ ? 2 : 1, BYTES);
    }

    @ParameterizedTest
    @EnumSource
    void aMessageArrivesAsItWas(Verb verb) {
        List<Packet> packets = underWay(verb);
        deliver(verb, packets);
        rig.run();
        assertThat(arrived(verb)).isEqualTo(original(verb));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    /** It breaks the rule that a buffer under way is the adapter's. It shows, too, that the packets hold no copy. */
    @ParameterizedTest
    @EnumSource
    void aProgramThatWritesItsBufferSendsEitherContent(Verb verb) {
        List<Packet> packets = underWay(verb);
        overwrite(verb);
        deliver(verb, packets);
        rig.run();
        assertThat(changed(arrived(verb), original(verb))).isGreaterThan(BYTES / 2);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    @ParameterizedTest
    @EnumSource
    void aRevokedLeaseLeavesTheBytesToThePackets(Verb verb) {
        leavesTheBytes(verb, side -> side.machine.leaseRevoked(Side.KEY, side.at(0)));
        assertThat(source(verb).released).isNotEmpty();
    }

    /** Ends the sender's right to its memory with packets under way; then its program overwrites the data. */
    private void leavesTheBytes(Verb verb, Consumer<Side> end) {
        List<Packet> packets = underWay(verb);
        end.accept(source(verb));
        overwrite(verb);
        deliver(verb, packets);
        assertThat(arrived(verb)).isEqualTo(original(verb));
    }

    @ParameterizedTest
    @EnumSource
    void aResetLeavesTheBytesToThePackets(Verb verb) {
        leavesTheBytes(verb, side -> side.machine.modify(QpModify.to(QpState.RESET), side.at(0)));
    }

    /** A program uses a buffer again as soon as it knows that its request is dropped. */
    @ParameterizedTest
    @EnumSource(names = "READ", mode = EnumSource.Mode.EXCLUDE)
    void aDroppedRequestLeavesTheBytesToThePackets(Verb verb) {
        List<Packet> packets = underWay(verb);
        rig.a.whenDropped = () -> overwrite(verb);
        rig.a.machine.modify(QpModify.to(QpState.RESET), rig.a.at(0));
        assertThat(rig.a.dropped).containsExactly(2L);
        deliver(verb, packets);
        assertThat(arrived(verb)).isEqualTo(original(verb));
    }

    @ParameterizedTest
    @EnumSource
    void anErrorLeavesTheBytesToThePackets(Verb verb) {
        leavesTheBytes(verb, side -> side.machine.modify(QpModify.to(QpState.ERR), side.at(0)));
    }

    /** Others may hold packets for longer than the loan lasts, and know only single packets. */
    @ParameterizedTest
    @EnumSource
    void settledAndSplitPacketsAreThoseWithoutLoans(Verb verb) {
        List<Packet> lent = new ArrayList<>();
        underWay(verb).forEach(packet -> {
            packet.settle();
            lent.addAll(packet.split());
        });
        overwrite(verb);
        Rig copying = rig(false);
        copying.b.postReceive(Receive.of(1, copying.b.slice(TO, BYTES)));
        copying.b.postReceive(Receive.of(2, copying.b.slice(TO, BYTES)));
        copying.a.post(work(copying, verb, 1, BYTES));
        copying.run();
        copying.wire.clear();
        copying.a.post(work(copying, verb, 2, BYTES));
        copying.run();
        assertThat(lent)
                .isEqualTo(copying.wire.stream()
                        .filter(packet -> packet.payload().length() > 0)
                        .toList());
    }

    @Test
    void middlesOfAWriteAreOneRun() {
        List<Packet> packets = underWay(Verb.WRITE);
        assertThat(packets.stream().mapToInt(Packet::packets).sum()).isEqualTo(BYTES / MTU);
        assertThat(packets).filteredOn(Packet::isRun).singleElement().satisfies(run -> {
            assertThat(run.packets()).isEqualTo(BYTES / MTU - 2);
            assertThat(run.payload().length()).isEqualTo(run.packets() * MTU);
        });
    }

    // rule rc-nak-once
    @Test
    void aRunBehindAGapIsAnsweredAsItsPackets() {
        List<Packet> packets = underWay(Verb.WRITE);
        int expected = packets.getFirst().psn();
        deliver(Verb.WRITE, packets.subList(1, packets.size()));
        assertThat(rig.b.counted(Counter.OUT_OF_SEQUENCE)).isEqualTo(BYTES / MTU - 1);
        rig.b.machine.transmit(64, rig.b.at(0));
        assertThat(rig.b.out).singleElement().returns(expected, Packet::psn);
        rig.runToQuiet();
        assertThat(arrived(Verb.WRITE)).isEqualTo(original(Verb.WRITE));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    // rule rc-duplicate
    @Test
    void aRunThatComesTwiceIsADuplicateOfEachPacket() {
        List<Packet> packets = underWay(Verb.WRITE);
        deliver(Verb.WRITE, packets);
        deliver(Verb.WRITE, packets);
        assertThat(rig.b.counted(Counter.DUPLICATE_REQUEST)).isEqualTo(BYTES / MTU);
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    @Test
    void aRunThatWaitsForALeaseIsHeldAsPackets() {
        List<Packet> packets = underWay(Verb.WRITE);
        rig.b.machine.leaseRevoked(Side.KEY, rig.b.at(0));
        rig.answersLeases = false;
        deliver(Verb.WRITE, packets);
        assertThat(rig.b.snapshot().pending().heldPackets()).isEqualTo(BYTES / MTU);
        rig.answersLeases = true;
        rig.run();
        assertThat(arrived(Verb.WRITE)).isEqualTo(original(Verb.WRITE));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    /** Requests of all kinds and lengths, revocations, resets and losses: each side's memory is what it is without loans. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void randomTrafficHasTheSameEffectsAsWithCopies(int part) {
        int lent = 0;
        for (long seed = part * 100L; seed < part * 100L + 60; seed++) {
            LoanPlay with = new LoanPlay(seed, true);
            LoanPlay without = new LoanPlay(seed, false);
            assertThat(with.play()).as("seed " + seed).isEqualTo(without.play());
            lent += with.lent();
            assertThat(without.lent()).isZero();
        }
        assertThat(lent).as("packets that referred to memory").isGreaterThan(2000);
    }

    // rule qp-pkey
    @Test
    void aRunThatTheFilterDropsCountsAsItsPackets() {
        List<Packet> packets = underWay(Verb.WRITE);
        rig.b.local.change(port -> port.withPkeyTable(List.of(0x8001)));
        deliver(Verb.WRITE, packets);
        assertThat(rig.b.counted(Counter.BAD_PKEY_CNTR)).isEqualTo(BYTES / MTU);
        assertThat(rig.b.discarded).hasSize(BYTES / MTU);
    }

    /** On-demand pages are not lent. */
    @Test
    void memoryThatCantBeLentIsCopiedUpToTheLimit() {
        rig.a.keepsPackets = false;
        PagedKey.of(rig.a);
        rig.a.post(work(rig, Verb.WRITE, 1, 8));
        rig.run();
        for (int i = 0; i < 60; i++) {
            rig.a.post(RdmaWrite.of(2 + i, rig.a.slice(0, Side.MEMORY), rig.b.remote(0)));
        }
        while (rig.a.machine.transmit(64, rig.a.at(0)) > 0) {}
        assertThat(rig.a.out.stream()
                        .mapToLong(packet -> packet.payload().length())
                        .sum())
                .isBetween(200_000L, 400_000L);
    }

    /** Each retry lends again what the peer discarded before. */
    @Test
    void aPeerThatIsNotReadyDoesNotKeepLoansForEver() {
        rig.a.keepsPackets = false;
        rig.a.post(work(rig, Verb.WRITE, 1, 8));
        rig.run();
        rig.a.post(work(rig, Verb.SEND, 2, 8));
        for (int i = 0; i < 60; i++) {
            rig.a.post(RdmaWrite.of(3 + i, rig.a.slice(0, Side.MEMORY), rig.b.remote(0)));
        }
        for (int i = 0; i < 3; i++) {
            rig.run();
            rig.now = rig.nextDeadline();
            rig.a.machine.timeout(rig.a.at(rig.now));
        }
        rig.b.postReceive(Receive.of(1, rig.b.slice(TO, BYTES)));
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsOnly(Status.SUCCESS);
        assertThat(rig.a.hasNothingToSend()).isTrue();
        assertThat(rig.b.memory.read(0, BYTES)).isEqualTo(pattern(1, BYTES));
    }

    // rule paging-rnr
    @Test
    void aRunIntoAbsentPagesIsHandledAsItsPackets() {
        PagedKey pages = PagedKey.of(rig.b);
        List<Packet> packets = underWay(Verb.WRITE);
        pages.evict(TO / PagedKey.PAGE + 1);
        deliver(Verb.WRITE, packets);
        assertThat(rig.b.memory.read(TO, PagedKey.PAGE))
                .as("up to the absent page")
                .isEqualTo(Arrays.copyOf(original(Verb.WRITE), PagedKey.PAGE));
        assertThat(rig.b.memory.read(TO + PagedKey.PAGE, MTU)).containsOnly(0);
        pages.serve(0);
        rig.runToQuiet();
        assertThat(arrived(Verb.WRITE)).isEqualTo(original(Verb.WRITE));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
    }

    @Test
    void shortMessagesAreCopied() {
        Rig small = rig(true);
        small.a.post(RdmaWrite.of(1, small.a.slice(0, 900), small.b.remote(TO)).withSignaled());
        small.run();
        small.a.post(RdmaWrite.of(2, small.a.slice(0, 900), small.b.remote(TO)).withSignaled());
        small.a.machine.transmit(64, small.a.at(0));
        small.a.memory.write(0, new byte[900]);
        List<Packet> packets = List.copyOf(small.a.out);
        small.a.out.clear();
        packets.forEach(packet -> small.receive(small.b, packet));
        assertThat(small.b.memory.read(TO, 900)).isEqualTo(pattern(1, 900));
    }
}
