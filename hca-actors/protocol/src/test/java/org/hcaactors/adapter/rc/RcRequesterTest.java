// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.hcaactors.adapter.counter.Counter;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A requester's sending and completing, and its reaction to time and loss (the page rc of the rule book). */
class RcRequesterTest {
    private static FetchAdd add(Rig rig, long id) {
        return FetchAdd.of(id, rig.a.slice(50_000, 8), rig.b.remote(50_000), 1).withSignaled();
    }

    /** Drops the n-th packet of that opcode, once. */
    private static void dropOnce(Rig rig, Opcode opcode, int nth) {
        int[] seen = {0};
        rig.lets = (from, packet) -> packet.opcode() != opcode || ++seen[0] != nth;
    }

    // --- segmentation, order, signaling ---

    // rules wire-segments, rc-ack-request
    @Test
    void aMessageIsSegmentedAtTheMtuAndRequestsAnAckAtItsEnd() {
        Rig rig = new Rig();
        rig.a.post(rig.write(1, 2500));
        rig.run();
        assertThat(rig.opcodes())
                .containsExactly(
                        Opcode.RC_WRITE_FIRST, Opcode.RC_WRITE_MIDDLE, Opcode.RC_WRITE_LAST, Opcode.RC_ACKNOWLEDGE);
        assertThat(rig.wire.subList(0, 3)).extracting(p -> p.bth().ackReq()).containsExactly(false, false, true);
        assertThat(rig.wire.getFirst().reth().lengthBytes()).isEqualTo(2500);
        assertThat(rig.wire.get(2).bth().padCount()).isZero();
        assertThat(rig.wire.get(2).payload().length()).isEqualTo(452);
    }

    // rule rc-ack-request
    @Test
    void everySixtyFourthPacketRequestsAnAck() {
        Rig rig = new Rig(Rig.TERMS.withMtu(org.hcaactors.api.address.PathMtu.BYTES_256));
        rig.a.post(rig.write(1, 256 * 200));
        rig.run();
        assertThat(rig.wire.stream().filter(p -> p.bth().ackReq()).map(p -> p.psn() - 100))
                .containsExactly(63, 127, 191, 199);
    }

    // rules completion-unsignaled, post-slot
    @Test
    void unsignaledSuccessFreesItsSlotsWithTheNextCompletion() {
        Rig rig = new Rig();
        for (int i = 0; i < 5; i++) {
            rig.a.post(RdmaWrite.of(i, rig.a.slice(0, 8), rig.b.remote(0)));
        }
        rig.run();
        assertThat(rig.a.sends).isEmpty();
        rig.a.post(rig.write(9, 8));
        rig.run();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(9L);
        assertThat(rig.a.slotsFreed).isEqualTo(6);
    }

    // rule completion-unsignaled
    @Test
    void signalingAllCompletesEveryRequest() {
        Rig rig = new Rig(Rig.TERMS, Profile.CONNECTX_5, true);
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 8), rig.b.remote(0)));
        rig.run();
        assertThat(rig.a.sends).hasSize(1);
    }

    // rule completion-length
    @Test
    void completionsHaveLengthsForReadsAndAtomicsOnly() {
        Rig rig = new Rig();
        rig.a.post(rig.write(1, 100));
        rig.a.post(rig.read(2, 100));
        rig.a.post(add(rig, 3));
        rig.a.post(CompareAndSwap.of(4, rig.a.slice(50_000, 8), rig.b.remote(50_000), 1, 7)
                .withSignaled());
        rig.run();
        assertThat(rig.a.sends).extracting(WorkCompletion::lengthBytes).containsExactly(0L, 100L, 8L, 8L);
        assertThat(rig.a.sends)
                .extracting(WorkCompletion::kind)
                .containsExactly(
                        CompletionKind.RDMA_WRITE,
                        CompletionKind.RDMA_READ,
                        CompletionKind.FETCH_ADD,
                        CompletionKind.COMP_SWAP);
    }

    // rule wire-solicited
    @Test
    void theSolicitedBitIsOnTheLastPacketOfASendOnly() {
        Rig rig = new Rig();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 8192)));
        rig.a.post(Send.of(1, rig.a.slice(0, 2000)).withSolicited());
        rig.a.post(RdmaWrite.of(2, rig.a.slice(0, 8), rig.b.remote(0)).withSolicited());
        rig.run();
        assertThat(rig.wire).extracting(p -> p.bth().solicited()).containsExactly(false, true, false, false);
    }

    // rule rc-read-limit
    @Test
    void readsAndAtomicsBeyondTheLimitStallTheWholeQueue() {
        Rig rig = new Rig(Rig.TERMS.withRdAtomic(2));
        rig.a.post(rig.read(1, 8));
        rig.a.post(add(rig, 2));
        rig.a.post(rig.read(3, 8));
        rig.a.post(rig.write(4, 8));
        rig.lets = (from, packet) -> false;
        rig.run();
        assertThat(rig.opcodes()).containsExactly(Opcode.RC_READ_REQUEST, Opcode.RC_FETCH_ADD);
        rig.lets = (from, packet) -> true;
        rig.runToQuiet();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L, 3L, 4L);
    }

    // rule rc-read-limit-zero
    @Test
    void aReadWithNoResourcesAtAllIsALocalOperationError() {
        Rig rig = new Rig(Rig.TERMS.withRdAtomic(0));
        rig.a.post(rig.read(1, 8));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_QP_OP_ERR);
    }

    // rule rc-fence
    @Test
    void aFencedRequestWaitsForEarlierReads() {
        Rig rig = new Rig();
        rig.a.post(rig.read(1, 8));
        rig.a.post(rig.write(2, 8));
        rig.a.post(rig.write(3, 8).withFence());
        rig.lets = (from, packet) -> packet.opcode() != Opcode.RC_READ_RESPONSE_ONLY;
        rig.run();
        assertThat(rig.wire.stream()
                        .filter(p -> p.opcode() == Opcode.RC_WRITE_ONLY)
                        .map(Packet::psn))
                .as("only the unfenced one, however often")
                .containsOnly(101);
        rig.lets = (from, packet) -> true;
        rig.runToQuiet();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L, 3L);
    }

    // --- local errors ---

    // rules rc-own-memory, rc-in-order
    @ParameterizedTest(name = "{0}")
    @CsvSource({"unknown", "domain", "range"})
    void aBadLocalKeyIsALocalProtectionErrorInOrder(String fault) {
        Rig rig = new Rig();
        switch (fault) {
            case "domain" -> rig.a.grant(0x55500, 2, 0, 64, AccessFlags.LOCAL_AND_REMOTE);
            case "range" -> rig.a.grant(0x55500, 1, 0, 7, AccessFlags.LOCAL_AND_REMOTE);
            default -> {}
        }
        rig.a.post(rig.write(1, 8));
        rig.a.post(RdmaWrite.of(2, rig.a.slice(0x55500, 0, 8), rig.b.remote(0)));
        rig.a.post(rig.write(3, 8));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.LOC_PROT_ERR, Status.WR_FLUSH_ERR);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.ERR);
    }

    // rule rc-atomic-result-size
    @Test
    void anAtomicOfOtherThanEightBytesIsALocalLengthError() {
        Rig rig = new Rig();
        rig.a.post(FetchAdd.of(1, rig.a.slice(0, 4), rig.b.remote(0), 1));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_LEN_ERR);
    }

    // rule rc-message-limit
    @Test
    void aMessageAboveTheLimitIsALocalLengthError() {
        Rig rig = new Rig();
        var slice = new org.hcaactors.api.memory.LocalSlice(Side.KEY, 0, Integer.MAX_VALUE);
        rig.a.post(RdmaWrite.of(1, slice, rig.b.remote(0)));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_LEN_ERR);
    }

    // --- acknowledgement, NAK, implied NAK ---

    // rule rc-implied-nak
    @Test
    void anAckBeyondAnUnansweredReadIsAnImpliedNak() {
        Rig rig = new Rig();
        rig.fill(rig.b, 0, 8, 5);
        dropOnce(rig, Opcode.RC_READ_RESPONSE_ONLY, 1);
        rig.a.post(rig.read(1, 8));
        rig.a.post(rig.write(2, 8));
        rig.run();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L);
        assertThat(rig.a.counted(Counter.IMPLIED_NAK_SEQ_ERR)).isEqualTo(1);
        assertThat(rig.a.retransmissions).hasSize(1);
    }

    // rule rc-read-resume
    @Test
    void aPartlyAnsweredReadRequestsTheRestOnly() {
        Rig rig = new Rig();
        rig.fill(rig.b, 0, 4000, 5);
        dropOnce(rig, Opcode.RC_READ_RESPONSE_MIDDLE, 2);
        rig.a.post(rig.read(1, 4000));
        rig.run();
        List<Packet> requests = rig.wire.stream()
                .filter(p -> p.opcode() == Opcode.RC_READ_REQUEST)
                .toList();
        assertThat(requests).hasSize(2);
        assertThat(requests.get(1).psn()).isEqualTo(102);
        assertThat(requests.get(1).reth().lengthBytes()).isEqualTo(4000 - 2048);
        assertThat(requests.get(1).reth().address()).isEqualTo(rig.b.memory.address() + 2048);
        assertThat(rig.a.memory.read(20_000, 4000)).isEqualTo(rig.b.memory.read(0, 4000));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule rc-ghost
    @Test
    void aGhostAcknowledgementIsIgnored() {
        Rig rig = new Rig();
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.inject(rig.a, Opcode.RC_ACKNOWLEDGE, 99, Octets.NONE, new Aeth(Syndrome.NAK_REMOTE_ACCESS, 0));
        rig.inject(rig.a, Opcode.RC_ACKNOWLEDGE, 100, Octets.NONE, new Aeth(Syndrome.NAK_REMOTE_ACCESS, 0));
        rig.inject(rig.a, Opcode.RC_ACKNOWLEDGE, 101, Octets.NONE, new Aeth(Syndrome.ACK, 0));
        rig.run();
        assertThat(rig.areReady()).isTrue();
        assertThat(rig.a.discarded).hasSize(3);
    }

    // rule rc-fatal-nak
    @ParameterizedTest(name = "syndrome {0} is {1}")
    @CsvSource({
        "0x61, REM_INV_REQ_ERR",
        "0x62, REM_ACCESS_ERR",
        "0x63, REM_OP_ERR",
        "0x40, BAD_RESP_ERR",
        "0x7F, BAD_RESP_ERR"
    })
    void aFatalNakCompletesTheRequestOfItsPsnAndFlushesTheRest(String syndrome, Status status) {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 8), rig.b.remote(0)).withSignaled());
        rig.a.post(RdmaWrite.of(2, rig.a.slice(0, 2000), rig.b.remote(0)));
        rig.a.post(RdmaWrite.of(3, rig.a.slice(0, 8), rig.b.remote(0)));
        rig.run();
        rig.inject(rig.a, Opcode.RC_ACKNOWLEDGE, 102, Octets.NONE, new Aeth(Integer.decode(syndrome), 0));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, status, Status.WR_FLUSH_ERR);
        assertThat(rig.a.machine.state()).isEqualTo(QpState.ERR);
    }

    // rule rc-bad-response
    @Test
    void aReadResponseToASendIsABadResponse() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.inject(rig.a, Opcode.RC_READ_RESPONSE_ONLY, 100, 8, new Aeth(Syndrome.ACK, 0));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.BAD_RESP_ERR);
    }

    // rule rc-bad-response
    @ParameterizedTest
    @ValueSource(ints = {7, 9})
    void aReadResponseOfTheWrongLengthIsABadResponse(int bytes) {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.read(1, 8));
        rig.run();
        rig.inject(rig.a, Opcode.RC_READ_RESPONSE_ONLY, 100, bytes, new Aeth(Syndrome.ACK, 0));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.BAD_RESP_ERR);
    }

    // rule rc-go-back
    @Test
    void goingBackContinuesAMessageInItsMiddle() {
        Rig rig = new Rig();
        rig.fill(rig.a, 0, 4096, 1);
        dropOnce(rig, Opcode.RC_WRITE_MIDDLE, 2);
        rig.a.post(rig.write(1, 4096));
        rig.run();
        assertThat(rig.opcodes())
                .containsSubsequence(
                        Opcode.RC_WRITE_FIRST,
                        Opcode.RC_WRITE_MIDDLE,
                        Opcode.RC_WRITE_MIDDLE,
                        Opcode.RC_WRITE_LAST,
                        Opcode.RC_ACKNOWLEDGE,
                        Opcode.RC_WRITE_MIDDLE,
                        Opcode.RC_WRITE_LAST,
                        Opcode.RC_ACKNOWLEDGE);
        assertThat(rig.a.counted(Counter.PACKET_SEQ_ERR)).isEqualTo(1);
        assertThat(rig.b.memory.read(0, 4096)).isEqualTo(rig.a.memory.read(0, 4096));
    }

    // --- timers and budgets ---

    // rule rc-retry-count
    @ParameterizedTest(name = "retry count {0} allows that many retransmissions")
    @ValueSource(ints = {0, 1, 3, 7})
    void retriesAreCountedAndThenFatal(int retries) {
        Rig rig = new Rig(Rig.TERMS.withTimeoutCode(1).withRetryCount(retries));
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.runToQuiet();
        assertThat(rig.count(Opcode.RC_WRITE_ONLY)).isEqualTo(retries + 1L);
        assertThat(rig.now).isEqualTo(8192L * (retries + 1));
        assertThat(rig.a.sendStatuses()).containsExactly(Status.RETRY_EXC_ERR);
        assertThat(rig.a.counted(Counter.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(retries + 1);
    }

    // rule rc-retry-seven
    @Test
    void retrySevenIsForEverOnSoftRoceOnly() {
        Rig rig = new Rig(Rig.TERMS.withTimeoutCode(1).withRetryCount(7), Profile.SOFT_ROCE, false);
        int[] lost = {0};
        rig.lets = (from, packet) -> ++lost[0] > 50;
        rig.a.post(rig.write(1, 8));
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule rc-retry-count
    @Test
    void progressRefillsTheRetryBudget() {
        Rig rig = new Rig(Rig.TERMS.withTimeoutCode(1).withRetryCount(1));
        for (int i = 0; i < 4; i++) {
            boolean[] lost = {false};
            rig.lets = (from, packet) -> {
                boolean first = !lost[0];
                lost[0] = true;
                return !first;
            };
            rig.a.post(rig.write(i, 8));
            rig.runToQuiet();
        }
        assertThat(rig.a.sendStatuses()).containsOnly(Status.SUCCESS).hasSize(4);
    }

    // rule rc-timeout
    @Test
    void timeoutZeroWaitsForEver() {
        Rig rig = new Rig(Rig.TERMS.withTimeoutCode(0).withRetryCount(1));
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.run();
        assertThat(rig.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        assertThat(rig.a.sends).isEmpty();
    }

    // rule rc-rnr-count
    @ParameterizedTest(name = "rnr_retry {0}")
    @CsvSource({"0, 1", "1, 2", "6, 7"})
    void rnrRetriesAreCountedAndThenFatal(int retries, int sent) {
        Rig rig = new Rig(Rig.TERMS.withRnrRetry(retries).withMinRnrTimerCode(1));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.runToQuiet();
        assertThat(rig.count(Opcode.RC_SEND_ONLY)).isEqualTo(sent);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.RNR_RETRY_EXC_ERR);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
        assertThat(rig.now).as("each wait is the timer of the NAK").isEqualTo(10_000L * retries);
    }

    // rules rc-rnr-count, rc-rnr-wait
    @Test
    void rnrRetrySevenIsForEverAndUsesUpNoRetries() {
        Rig rig = new Rig(
                Rig.TERMS.withTimeoutCode(14).withRetryCount(0).withRnrRetry(7).withMinRnrTimerCode(1));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)).withSignaled());
        rig.run();
        for (int i = 0; i < 100; i++) {
            rig.now = rig.nextDeadline();
            rig.a.machine.timeout(rig.a.at(rig.now));
            rig.run();
        }
        assertThat(rig.a.sends).isEmpty();
        rig.b.postReceive(Receive.of(1, rig.b.slice(0, 8)));
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    // rule wire-rnr-timer
    @Test
    void rnrTimerZeroIsTheLongest() {
        Rig rig = new Rig(Rig.TERMS.withRnrRetry(7).withMinRnrTimerCode(0));
        rig.a.post(Send.of(1, rig.a.slice(0, 8)));
        rig.run();
        assertThat(rig.nextDeadline()).isEqualTo(655_360_000L);
    }

    // rule rc-cumulative-ack
    @Test
    void anRnrNakAcknowledgesEverythingBeforeIt() {
        Rig rig = new Rig(Rig.TERMS.withRnrRetry(7).withMinRnrTimerCode(1));
        rig.a.post(rig.write(1, 2000));
        rig.a.post(Send.of(2, rig.a.slice(0, 8)));
        rig.run();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L);
    }

    // --- loss of each packet kind ---

    // rules rc-go-back, rc-duplicate, rc-duplicate-atomic
    @ParameterizedTest(name = "the {1}. {0} is lost")
    @CsvSource({
        "RC_SEND_FIRST, 1",
        "RC_SEND_MIDDLE, 1",
        "RC_SEND_MIDDLE, 2",
        "RC_SEND_LAST_IMM, 1",
        "RC_SEND_ONLY, 1",
        "RC_WRITE_FIRST, 1",
        "RC_WRITE_MIDDLE, 1",
        "RC_WRITE_LAST_IMM, 1",
        "RC_WRITE_ONLY, 1",
        "RC_READ_REQUEST, 1",
        "RC_READ_REQUEST, 2",
        "RC_READ_RESPONSE_FIRST, 1",
        "RC_READ_RESPONSE_MIDDLE, 1",
        "RC_READ_RESPONSE_LAST, 1",
        "RC_READ_RESPONSE_ONLY, 1",
        "RC_FETCH_ADD, 1",
        "RC_COMPARE_SWAP, 1",
        "RC_ATOMIC_ACKNOWLEDGE, 1",
        "RC_ATOMIC_ACKNOWLEDGE, 2",
        "RC_ACKNOWLEDGE, 1"
    })
    void losingAnyPacketLeavesExactlyOnceEffects(Opcode opcode, int nth) {
        Rig rig = new Rig();
        dropOnce(rig, opcode, nth);
        everyOperation(rig);
        assertThat(rig.wire.stream().filter(p -> p.opcode() == opcode).count())
                .as("the packet existed and was sent again, or made up for")
                .isGreaterThanOrEqualTo(nth);
    }

    // rules rc-in-order, rc-duplicate
    /** With unlimited retries, since a retry count of seven may legitimately be exhausted. */
    @Test
    void lostDuplicateAndReorderedPacketsHaveExactlyOnceEffects() {
        for (int seed = 0; seed < 500; seed++) {
            SplittableRandom chance = new SplittableRandom(seed);
            int first = chance.nextBoolean() ? 100 : 0xFFFFF0 + chance.nextInt(16);
            Rig rig = new Rig(
                    Rig.TERMS
                            .withTimeoutCode(8)
                            .withRetryCount(7)
                            .withRnrRetry(7)
                            .withMinRnrTimerCode(1)
                            .withFirstPsn(first),
                    Profile.SOFT_ROCE,
                    false);
            List<Runnable> late = new ArrayList<>();
            rig.lets = (from, packet) -> {
                Side to = rig.peer(from);
                Runnable deliver = () -> to.machine.receive(packet, to.at(rig.now));
                int fate = chance.nextInt(10);
                if (fate == 0) {
                    deliver.run();
                } else if (fate == 1) {
                    late.add(deliver);
                } else if (fate == 2 && !late.isEmpty()) {
                    late.remove(chance.nextInt(late.size())).run();
                }
                return fate != 1 && fate != 3 && fate != 4;
            };
            everyOperation(rig);
        }
    }

    /** Runs all operations, some longer than the MTU, and checks bytes, counts and order. */
    private static void everyOperation(Rig rig) {
        rig.fill(rig.a, 0, 10_000, 11);
        rig.fill(rig.b, 20_000, 5000, 99);
        rig.b.postReceive(Receive.of(71, rig.b.slice(30_000, 5000)));
        rig.b.postReceive(Receive.of(72, rig.b.slice(40_000, 100)));
        rig.b.postReceive(Receive.of(73));
        long word = rig.b.memory.address() + 60_000;
        var remoteWord = new org.hcaactors.api.memory.RemoteAddress(Side.KEY, word);
        rig.a.post(Send.of(1, rig.a.slice(0, 4000)).withImmediate(5).withSignaled());
        rig.a.post(Send.of(2, rig.a.slice(0, 100)).withSignaled());
        rig.a.post(RdmaWrite.of(3, rig.a.slice(0, 4000), rig.b.remote(0))
                .withImmediate(6)
                .withSignaled());
        rig.a.post(RdmaWrite.of(4, rig.a.slice(0, 100), rig.b.remote(5000)).withSignaled());
        rig.a.post(
                RdmaRead.of(5, rig.a.slice(20_000, 5000), rig.b.remote(20_000)).withSignaled());
        rig.a.post(FetchAdd.of(6, rig.a.slice(50_000, 8), remoteWord, 3).withSignaled());
        rig.a.post(
                CompareAndSwap.of(7, rig.a.slice(50_008, 8), remoteWord, 3, 8).withSignaled());
        rig.a.post(
                RdmaRead.of(8, rig.a.slice(30_000, 100), rig.b.remote(20_000)).withSignaled());
        rig.a.post(FetchAdd.of(9, rig.a.slice(50_016, 8), remoteWord, 1).withSignaled());
        rig.runToQuiet();

        assertThat(rig.a.sendStatuses()).containsOnly(Status.SUCCESS);
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(rig.b.receives).extracting(WorkCompletion::workId).containsExactly(71L, 72L, 73L);
        assertThat(rig.b.receives)
                .extracting(WorkCompletion::immediate)
                .containsExactly(OptionalInt.of(5), OptionalInt.empty(), OptionalInt.of(6));
        assertThat(rig.b.memory.read(30_000, 4000)).isEqualTo(rig.a.memory.read(0, 4000));
        assertThat(rig.b.memory.read(40_000, 100)).isEqualTo(rig.a.memory.read(0, 100));
        assertThat(rig.b.memory.read(0, 4000)).isEqualTo(rig.a.memory.read(0, 4000));
        assertThat(rig.a.memory.read(20_000, 5000)).isEqualTo(rig.b.memory.read(20_000, 5000));
        assertThat(rig.a.memory.readLong(50_000)).isZero();
        assertThat(rig.a.memory.readLong(50_008)).isEqualTo(3);
        assertThat(rig.a.memory.readLong(50_016)).isEqualTo(8);
        assertThat(rig.b.memory.readLong(60_000)).isEqualTo(9);
    }

    @Test
    void duplicatingEveryPacketLeavesExactlyOnceEffects() {
        Rig rig = new Rig();
        boolean[] again = {false};
        rig.lets = (from, packet) -> {
            if (!again[0]) {
                again[0] = true;
                rig.peer(from).machine.receive(packet, rig.peer(from).at(rig.now));
                again[0] = false;
            }
            return true;
        };
        everyOperation(rig);
    }

    // --- PSN wrap ---

    // rule wire-psn
    @ParameterizedTest
    @ValueSource(ints = {0xFFFFFF, 0xFFFFFE, 0xFFFFFC, 0xFFFFF8})
    void everythingWorksAcrossThePsnWrap(int first) {
        Rig rig = new Rig(Rig.TERMS.withFirstPsn(first));
        everyOperation(rig);
    }

    // rules wire-psn, rc-read-resume
    @Test
    void aReadThatSpansTheWrapIsAnsweredAndRetriedInPart() {
        Rig rig = new Rig(Rig.TERMS.withFirstPsn(0xFFFFFE));
        rig.fill(rig.b, 0, 5000, 8);
        dropOnce(rig, Opcode.RC_READ_RESPONSE_MIDDLE, 2);
        rig.a.post(rig.read(1, 5000));
        rig.a.post(rig.write(2, 8));
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS);
        assertThat(rig.a.memory.read(20_000, 5000)).isEqualTo(rig.b.memory.read(0, 5000));
        List<Integer> psns = rig.wire.stream()
                .filter(p -> p.operation().isReadResponse())
                .map(Packet::psn)
                .toList();
        assertThat(psns).contains(0xFFFFFE, 0xFFFFFF, 0, 1, 2);
        assertThat(rig.a.machine.snapshot().sendPsn()).isEqualTo(Psn.plus(0xFFFFFE, 6));
    }

    // --- states ---

    @Test
    void nothingIsSentBeforeRts() {
        Side a = new Side("a", 1, 1, Profile.CONNECTX_5, false);
        a.machine.modify(Rig.TERMS.toInit(), a.turn);
        a.machine.transmit(64, a.at(0));
        assertThat(a.out).isEmpty();
    }

    // rule qp-flush
    @Test
    void movingToErrorFlushesBothQueuesInOrderSignaledOrNot() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        IntStream.range(0, 3).forEach(i -> rig.a.post(RdmaWrite.of(i, rig.a.slice(0, 8), rig.b.remote(0))));
        IntStream.range(0, 2).forEach(i -> rig.a.postReceive(Receive.of(50 + i)));
        rig.run();
        rig.a.machine.modify(QpModify.to(QpState.ERR), rig.a.turn);
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(0L, 1L, 2L);
        assertThat(rig.a.sendStatuses()).containsOnly(Status.WR_FLUSH_ERR);
        assertThat(rig.a.receives).extracting(WorkCompletion::workId).containsExactly(50L, 51L);
        rig.a.post(rig.write(9, 8));
        rig.a.postReceive(Receive.of(59));
        assertThat(rig.a.sends.getLast().status()).isEqualTo(Status.WR_FLUSH_ERR);
        assertThat(rig.a.receives.getLast().status()).isEqualTo(Status.WR_FLUSH_ERR);
    }

    // rule qp-reset
    @Test
    void resettingDropsEverythingWithoutCompletions() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.a.post(rig.write(2, 8));
        rig.a.postReceive(Receive.of(3));
        rig.run();
        rig.a.machine.modify(QpModify.to(QpState.RESET), rig.a.turn);
        assertThat(rig.a.dropped).containsExactly(1L, 2L);
        assertThat(rig.a.sends).isEmpty();
        assertThat(rig.a.receives).isEmpty();
        assertThat(rig.a.released).hasSize(1);
        assertThat(rig.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aQueuePairRunsAgainAfterErrorAndReset() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.ERR), rig.a.turn);
        rig.b.machine.modify(QpModify.to(QpState.ERR), rig.b.turn);
        for (Side side : List.of(rig.a, rig.b)) {
            side.machine.modify(QpModify.to(QpState.RESET), side.turn);
            side.machine.modify(Rig.TERMS.toInit(), side.turn);
            rig.readyToReceive(side, rig.peer(side));
            side.machine.modify(Rig.TERMS.toRts(), side.turn);
        }
        everyOperation(rig);
    }

    // rule qp-drain
    @Test
    void aDrainCompletesStartedRequestsOnlyAndRaisesSqDrainedOnce() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> from == rig.a;
        rig.a.post(rig.read(1, 8));
        rig.run();
        rig.a.machine.modify(QpModify.to(QpState.SQD, new QpAttribute.NotifyWhenDrained(true)), rig.a.turn);
        rig.a.post(rig.write(2, 8));
        rig.run();
        assertThat(rig.a.machine.snapshot().sqDraining()).isTrue();
        assertThatThrownBy(() -> rig.a.machine.modify(QpModify.to(QpState.RTS), rig.a.turn))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("draining");
        rig.lets = (from, packet) -> true;
        rig.runToQuiet();
        assertThat(rig.a.events).containsExactly(AsyncEvent.Kind.SQ_DRAINED);
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L);
        assertThat(rig.count(Opcode.RC_WRITE_ONLY)).isZero();
        rig.a.machine.modify(QpModify.to(QpState.RTS), rig.a.turn);
        rig.runToQuiet();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(1L, 2L);
    }

    // rule qp-drain
    @Test
    void sqDrainedIsRaisedOnlyIfRequestedWithTheMoveToSqd() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.SQD, new QpAttribute.NotifyWhenDrained(true)), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.RTS), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.SQD, new QpAttribute.Timeout(1)), rig.a.turn);
        assertThat(rig.a.events).containsExactly(AsyncEvent.Kind.SQ_DRAINED);
    }

    // rule qp-modify-whole
    @Test
    void aRefusedModifyChangesNothing() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a.turn);
        QpAttribute.Av nowhere = new QpAttribute.Av(AddressVector.to(
                GlobalRoute.to(new Gid(rig.b.port.high(), rig.b.port.low())).withSourceGidIndex(3)));
        assertThatThrownBy(() -> rig.a.machine.modify(
                        QpModify.to(QpState.SQD, new QpAttribute.RemoteAccess(AccessFlags.NONE), nowhere), rig.a.turn))
                .isInstanceOf(VerbsException.class);
        rig.a.machine.modify(QpModify.to(QpState.RTS), rig.a.turn);
        stillTakesWrites(rig);
    }

    /** Such a modify used to fail and leave the rights changed. */
    @Test
    void aModifyWithoutAnAddressIgnoresARemovedGid() {
        Rig rig = new Rig();
        List<Gid> gids = rig.a.local.attributes().gidTable();
        rig.a.local.change(now -> now.withGidTable(List.of()));
        rig.a.machine.modify(QpModify.to(QpState.RTS, new QpAttribute.RemoteAccess(AccessFlags.NONE)), rig.a.turn);
        rig.a.local.change(now -> now.withGidTable(gids)); // without it, a sends no responses
        rig.b.post(RdmaWrite.of(1, rig.b.slice(0, 8), rig.a.remote(0)));
        rig.run();
        assertThat(rig.b.sendStatuses()).containsExactly(Status.REM_INV_REQ_ERR);
    }

    private static void stillTakesWrites(Rig rig) {
        rig.b.post(RdmaWrite.of(1, rig.b.slice(0, 8), rig.a.remote(0)).withSignaled());
        rig.run();
        assertThat(rig.b.sendStatuses()).containsExactly(Status.SUCCESS);
    }

    @Test
    void attributesCanBeChangedOnceDrained() {
        Rig rig = new Rig();
        rig.a.machine.modify(QpModify.to(QpState.SQD), rig.a.turn);
        rig.a.machine.modify(
                QpModify.to(QpState.SQD, new QpAttribute.Timeout(1), new QpAttribute.RetryCount(0)), rig.a.turn);
        rig.a.machine.modify(QpModify.to(QpState.RTS), rig.a.turn);
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.RETRY_EXC_ERR);
        assertThat(rig.now).isEqualTo(8192);
    }

    // rule event-crash
    @Test
    void aCrashFlushesReleasesAndRaisesQpFatal() {
        Rig rig = new Rig();
        rig.lets = (from, packet) -> false;
        rig.a.post(rig.write(1, 8));
        rig.run();
        rig.a.machine.fail(DependencyFailure.ITS_ACTOR, rig.a.turn);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.WR_FLUSH_ERR);
        assertThat(rig.a.events).containsExactly(AsyncEvent.Kind.QP_FATAL);
        assertThat(rig.a.released).hasSize(1);
    }

    // rules memory-each-packet, rc-own-memory
    @Test
    void aLeaseRevokedWithinAMessageIsAProtectionError() {
        Rig rig = new Rig();
        rig.a.grant(0x55500, 1, 0, 1 << 16, AccessFlags.LOCAL_AND_REMOTE);
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0x55500, 0, 5000), rig.b.remote(0)));
        rig.a.machine.transmit(2, rig.a.at(0));
        rig.answerLeases(rig.a);
        rig.a.machine.transmit(2, rig.a.at(0));
        rig.a.keys.remove(0x55500);
        rig.a.machine.leaseRevoked(0x55500, rig.a.turn);
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.LOC_PROT_ERR);
    }
}
