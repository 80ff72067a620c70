// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.state.PagedKey;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Absent pages on both sides of a reliable connection. */
class RcPagingTest {
    /** All retry counts are 0. */
    private static final int NONE = 0;

    private static final int RNR_1_28_MS = Syndrome.rnr(14);
    private static final int PAGES = Side.MEMORY / PagedKey.PAGE;
    private static final int LONG = 3 * PagedKey.PAGE;

    private final Rig rig = new Rig(Rig.TERMS.withRetryCount(NONE));
    private final PagedKey here = PagedKey.of(rig.a);
    private final PagedKey there = PagedKey.of(rig.b);

    private void succeeds(int requests) {
        assertThat(rig.a.sendStatuses()).hasSize(requests).containsOnly(Status.SUCCESS);
        assertThat(rig.areReady()).isTrue();
    }

    private List<Integer> sent(Side side) {
        return rig.wire.stream()
                .filter(packet -> packet.bth().destQp() == rig.peer(side).number)
                .map(Packet::psn)
                .toList();
    }

    // --- data to send ---

    // rule paging-gather
    @Test
    void aSendWaitsForItsPageWithoutTrafficOrTimeout() {
        here.evict(0);
        rig.a.post(rig.write(1, 8));
        rig.a.post(rig.write(2, PagedKey.PAGE, 8));
        rig.run();
        assertThat(rig.wire).isEmpty();
        assertThat(rig.a.machine.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        assertThat(here.fault().kind()).isEqualTo(PageFault.Kind.GATHER);
        assertThat(here.fault().absence().writing()).isFalse();
        here.serve(rig.now);
        rig.runToQuiet();
        succeeds(2);
        assertThat(sent(rig.a)).containsExactly(100, 101);
    }

    // rules paging-gather, paging-whole-message
    @Test
    void aMessageStopsAtTheAbsentPageAndFaultsForItsRest() {
        here.evict(1, 2);
        rig.fill(rig.a, 0, LONG, 3);
        rig.a.post(rig.write(1, LONG));
        rig.run();
        assertThat(sent(rig.a)).containsExactly(100, 101, 102, 103);
        assertThat(here.fault().absence().count()).isEqualTo(2 * PagedKey.PAGE);
        here.serve(rig.now);
        rig.runToQuiet();
        succeeds(1);
        assertThat(rig.b.memory.read(0, LONG)).isEqualTo(rig.a.memory.read(0, LONG));
        assertThat(sent(rig.a)).hasSize(12).doesNotHaveDuplicates();
    }

    // rule paging-whole-message
    @Test
    void aMessageWithAnAbsentPageIsCheckedOnceATurn() {
        here.evict(2);
        rig.a.post(rig.write(1, LONG));
        rig.run();
        assertThat(sent(rig.a)).hasSize(8);
        assertThat(here.asked()).isLessThanOrEqualTo(4);
    }

    // rule paging-gather
    @Test
    void aPageThatIsTakenBehindEachPacketDelaysAndLosesNothing() {
        rig.fill(rig.a, 0, LONG, 3);
        here.evict(0, 1, 2);
        rig.a.post(rig.write(1, LONG));
        int served = 0;
        for (rig.run(); !rig.a.faults.isEmpty(); rig.run()) {
            here.serve(rig.now);
            rig.a.machine.transmit(1, rig.a.at(rig.now));
            here.evict(0, 1, 2);
            served++;
        }
        rig.runToQuiet();
        succeeds(1);
        assertThat(served).isEqualTo(12);
        assertThat(rig.b.memory.read(0, LONG)).isEqualTo(rig.a.memory.read(0, LONG));
    }

    // rule paging-gather
    @Test
    void aRetransmissionWaitsForItsPageWithoutATimeout() {
        Rig patient = new Rig(Rig.TERMS.withRetryCount(1));
        PagedKey key = PagedKey.of(patient.a);
        patient.lets = (from, packet) -> false;
        patient.a.post(patient.write(1, 8));
        patient.run();
        key.evict(0);
        patient.lets = (from, packet) -> true;
        for (int i = 0; i < 5; i++) {
            patient.passes(patient.a.machine.nextDeadline());
        }
        assertThat(patient.a.counted(Counter.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(1);
        key.serve(patient.now);
        patient.runToQuiet();
        assertThat(patient.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule paging-fails
    @Test
    void aSendWithoutMemoryFailsLocally() {
        here.evict(0);
        rig.a.post(rig.write(1, 8));
        rig.run();
        here.refuse(rig.now);
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.ERR);
        assertThat(rig.wire).isEmpty();
    }

    // --- memory of responses ---

    // rule paging-response
    @Test
    void aResponseWithoutAPageIsRequestedAgainWithoutARetry() {
        rig.fill(rig.b, 0, LONG, 5);
        here.evict(1, 2, 3);
        RdmaRead read = RdmaRead.of(1, rig.a.slice(0, LONG), rig.b.remote(0)).withSignaled();
        rig.a.post(read);
        rig.a.post(rig.write(2, 5 * PagedKey.PAGE, 8).withFence());
        rig.run();
        assertThat(rig.a.discarded).hasSize(8).allMatch(reason -> reason.contains("page of the response is absent"));
        assertThat(here.fault().kind()).isEqualTo(PageFault.Kind.RESPONSE);
        assertThat(here.fault().absence().writing()).isTrue();
        assertThat(here.fault().absence().count()).isEqualTo(2 * PagedKey.PAGE);
        assertThat(rig.a.machine.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        here.serve(rig.now);
        rig.runToQuiet();
        succeeds(2);
        assertThat(rig.a.memory.read(0, LONG)).isEqualTo(rig.b.memory.read(0, LONG));
        assertThat(rig.a.retransmissions).singleElement().asString().contains("the page of the response is present");
        Packet again = rig.wire.stream()
                .filter(packet -> packet.opcode() == Opcode.RC_READ_REQUEST)
                .toList()
                .getLast();
        assertThat(again.psn()).isEqualTo(104);
        assertThat(again.reth().lengthUnsigned()).isEqualTo(2 * PagedKey.PAGE);
    }

    // rule paging-response
    @Test
    void anAtomicWhoseResultHasNoPageIsExecutedOnce() {
        rig.b.memory.writeLong(0, 5);
        here.evict(2);
        rig.a.post(FetchAdd.of(1, rig.a.slice(2 * PagedKey.PAGE, 8), rig.b.remote(0), 3)
                .withSignaled());
        rig.run();
        here.serve(rig.now);
        rig.runToQuiet();
        succeeds(1);
        assertThat(rig.b.memory.readLong(0)).isEqualTo(8);
        assertThat(rig.a.memory.readLong(2 * PagedKey.PAGE)).isEqualTo(5);
    }

    // rule paging-response
    @Test
    void nothingIsSentUntilTheResponseHasItsPage() {
        here.evict(2);
        rig.a.post(RdmaRead.of(1, rig.a.slice(2 * PagedKey.PAGE, 8), rig.b.remote(0))
                .withSignaled());
        rig.run();
        int before = rig.wire.size();
        rig.a.post(rig.write(2, 8));
        rig.run();
        assertThat(rig.wire).hasSize(before);
        here.serve(rig.now);
        rig.runToQuiet();
        succeeds(2);
    }

    // rule paging-fault
    @Test
    void aPageEvictedBeforeTheResponseIsFaultedAgain() {
        here.evict(2);
        rig.a.post(RdmaRead.of(1, rig.a.slice(2 * PagedKey.PAGE, 8), rig.b.remote(0))
                .withSignaled());
        rig.run();
        for (int i = 0; i < 10; i++) {
            here.answer(Optional.empty(), rig.now);
            rig.run();
        }
        here.serve(rig.now);
        rig.runToQuiet();
        succeeds(1);
    }

    // rules paging-response, rc-go-back-once
    @Test
    void aResponseInFlightWhenThePageIsMappedIsNoNewGap() {
        rig.fill(rig.b, 0, LONG, 5);
        here.evict(1, 2, 3);
        List<Packet> late = new ArrayList<>();
        rig.lets = (from, packet) -> from == rig.a || packet.psn() < 109 || !late.add(packet);
        rig.a.post(RdmaRead.of(1, rig.a.slice(0, LONG), rig.b.remote(0)).withSignaled());
        rig.run();
        rig.lets = (from, packet) -> true;
        here.serve(rig.now);
        late.forEach(packet -> rig.a.machine.receive(packet, rig.a.at(rig.now)));
        rig.runToQuiet();
        succeeds(1);
        assertThat(rig.count(Opcode.RC_READ_REQUEST)).isEqualTo(2);
        assertThat(rig.a.counted(Counter.IMPLIED_NAK_SEQ_ERR)).isZero();
        assertThat(rig.a.memory.read(0, LONG)).isEqualTo(rig.b.memory.read(0, LONG));
    }

    // rule paging-fails
    @Test
    void aResponseWithoutMemoryFailsItsRequest() {
        here.evict(2);
        rig.a.post(RdmaRead.of(1, rig.a.slice(2 * PagedKey.PAGE, 8), rig.b.remote(0))
                .withSignaled());
        rig.run();
        here.refuse(rig.now);
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
        assertThat(rig.a.failures).singleElement().asString().contains("has no memory there");
    }

    // --- remote access ---

    private enum Verb {
        WRITE,
        READ,
        ATOMIC,
        SEND
    }

    private WorkRequest request(Verb verb) {
        int far = (PAGES - 1) * PagedKey.PAGE;
        return switch (verb) {
            case WRITE -> rig.write(1, 8);
            case READ -> RdmaRead.of(1, rig.a.slice(far, 8), rig.b.remote(0)).withSignaled();
            case ATOMIC ->
                FetchAdd.of(1, rig.a.slice(far, 8), rig.b.remote(0), 1).withSignaled();
            case SEND -> Send.of(1, rig.a.slice(0, 8)).withSignaled();
        };
    }

    // rule paging-rnr
    @ParameterizedTest
    @EnumSource(Verb.class)
    void aRequestForAnAbsentPageGetsAnRnrNakAndHasNoEffect(Verb verb) {
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 64)));
        there.evict(0);
        rig.a.post(request(verb));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(RNR_1_28_MS);
        assertThat(rig.b.machine.snapshot().receivePsn()).isEqualTo(100);
        assertThat(rig.b.touched).isEmpty();
        assertThat(there.fault().kind()).isEqualTo(verb == Verb.SEND ? PageFault.Kind.RECEIVE : PageFault.Kind.REMOTE);
        assertThat(there.fault().absence().writing()).isEqualTo(verb != Verb.READ);
        there.serve(rig.now);
        rig.runToQuiet();
        succeeds(1);
        assertThat(rig.now).isGreaterThanOrEqualTo(Syndrome.rnrNanos(RNR_1_28_MS));
        assertThat(rig.b.counted(Counter.OUT_OF_BUFFER)).isZero();
    }

    // rule paging-suspends
    @Test
    void anEarlyRetryGetsAnotherRnrNakAndNoSecondFault() {
        there.evict(0);
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.passes(rig.a.machine.nextDeadline());
        assertThat(rig.syndromes()).containsExactly(RNR_1_28_MS, RNR_1_28_MS);
        there.serve(rig.now);
        rig.runToQuiet();
        succeeds(1);
    }

    // rule paging-rnr
    @Test
    void anRnrNakForAPageCountsAgainstTheRetryCount() {
        there.evict(0);
        rig.a.post(rig.write(1, 8));
        rig.run();
        for (int i = 0; i < 3; i++) {
            rig.passes(rig.a.machine.nextDeadline());
        }
        assertThat(rig.a.sendStatuses()).containsExactly(Status.RNR_RETRY_EXC_ERR);
    }

    // rules paging-rnr, paging-whole-message
    @ParameterizedTest
    @EnumSource(
            value = Verb.class,
            names = {"WRITE", "SEND"})
    void aPageFaultWithinAMessageRepeatsOnlyTheRestOfIt(Verb verb) {
        rig.fill(rig.a, 0, LONG, 3);
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, LONG)));
        there.evict(1, 2);
        rig.a.post(
                verb == Verb.WRITE
                        ? rig.write(1, LONG)
                        : Send.of(1, rig.a.slice(0, LONG)).withSignaled());
        rig.run();
        assertThat(rig.b.machine.snapshot().receivePsn()).isEqualTo(104);
        assertThat(there.fault().absence().count()).isEqualTo(2 * PagedKey.PAGE);
        there.serve(rig.now);
        rig.runToQuiet();
        succeeds(1);
        assertThat(rig.b.memory.read(0, LONG)).isEqualTo(rig.a.memory.read(0, LONG));
        assertThat(rig.wire.stream()
                        .filter(packet ->
                                packet.psn() < Psn.plus(100, 4) && packet.bth().destQp() == rig.b.number)
                        .map(Packet::psn))
                .containsExactly(100, 101, 102, 103);
    }

    // rules paging-stream, paging-rnr
    @Test
    void aPageFaultWithinAReadResponseGetsAnRnrNakAndARestRead() {
        rig.fill(rig.b, 0, LONG, 5);
        there.evict(1);
        rig.a.post(RdmaRead.of(1, rig.a.slice(4 * PagedKey.PAGE, LONG), rig.b.remote(0))
                .withSignaled());
        rig.a.post(rig.write(2, 8 * PagedKey.PAGE, 8));
        rig.run();
        assertThat(rig.syndromes()).containsExactly(RNR_1_28_MS, Syndrome.ACK);
        assertThat(rig.count(Opcode.RC_READ_RESPONSE_MIDDLE)).isEqualTo(3);
        assertThat(there.fault().absence().count()).isEqualTo(2 * PagedKey.PAGE);
        rig.passes(rig.a.machine.nextDeadline());
        assertThat(rig.syndromes().subList(2, 3)).containsExactly(RNR_1_28_MS);
        there.serve(rig.now);
        rig.runToQuiet();
        succeeds(2);
        assertThat(sent(rig.a)).startsWith(100, 112, 104);
        assertThat(rig.a.memory.read(4 * PagedKey.PAGE, LONG)).isEqualTo(rig.b.memory.read(0, LONG));
    }

    // rule paging-fails
    @ParameterizedTest
    @EnumSource(Verb.class)
    void aRequestWithoutMemoryGetsTheNakOfMissingRights(Verb verb) {
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 64)));
        there.evict(0);
        rig.a.post(request(verb));
        rig.run();
        there.refuse(rig.now);
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(verb == Verb.SEND ? Status.REM_OP_ERR : Status.REM_ACCESS_ERR);
        assertThat(rig.b.receiveStatuses())
                .containsExactly(verb == Verb.SEND ? Status.LOC_PROT_ERR : Status.WR_FLUSH_ERR);
    }

    // rule paging-fails
    @Test
    void aStreamThatLosesItsMemoryEndsInANak() {
        there.evict(1);
        rig.a.post(RdmaRead.of(1, rig.a.slice(4 * PagedKey.PAGE, LONG), rig.b.remote(0))
                .withSignaled());
        rig.run();
        there.refuse(rig.now);
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.REM_ACCESS_ERR);
        assertThat(rig.syndromes()).containsExactly(RNR_1_28_MS, Syndrome.NAK_REMOTE_ACCESS);
    }

    // --- transports that do not wait ---

    // rule paging-transports
    @ParameterizedTest
    @EnumSource(Verb.class)
    void anAbsentPageDeniesAUseWithoutPagingSupport(Verb verb) {
        Profile impatient = Profile.CONNECTX_5.with(PagingCapabilities.NONE);
        Rig two = new Rig(Rig.TERMS, impatient, false);
        PagedKey key = PagedKey.of(two.b);
        two.b.postReceive(Receive.of(9, two.b.slice(0, 64)));
        key.evict(0);
        two.a.post(request(verb, two));
        two.runToQuiet();
        assertThat(two.b.faults).isEmpty();
        assertThat(two.a.sendStatuses()).containsExactly(verb == Verb.SEND ? Status.REM_OP_ERR : Status.REM_ACCESS_ERR);
        assertThat(two.b.failures).anyMatch(reason -> reason.contains("not wait for pages"));
    }

    private static WorkRequest request(Verb verb, Rig two) {
        return switch (verb) {
            case WRITE -> two.write(1, 8);
            case READ -> two.read(1, 8);
            case ATOMIC -> FetchAdd.of(1, two.a.slice(0, 8), two.b.remote(0), 1).withSignaled();
            case SEND -> Send.of(1, two.a.slice(0, 8)).withSignaled();
        };
    }

    // --- ends ---

    // rule paging-suspends
    @ParameterizedTest
    @EnumSource(Verb.class)
    void aFaultAnsweredAfterAResetIsIgnored(Verb verb) {
        rig.b.postReceive(Receive.of(9, rig.b.slice(0, 64)));
        here.evict(0, PAGES - 1);
        there.evict(0);
        rig.a.post(request(verb));
        rig.run();
        PagedKey waits = rig.a.faults.isEmpty() ? there : here;
        rig.reconnect(rig.a);
        rig.reconnect(rig.b);
        waits.refuse(rig.now);
        rig.a.post(rig.write(2, 4 * PagedKey.PAGE, 8));
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }
}
