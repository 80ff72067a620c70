// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.inline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.uc.UcTest;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inline data as decided by the machines. */
class InlineMachineTest {
    private static final int UNKNOWN = 0x700;

    private static byte[] bytes(Side side, long offset, int count) {
        return side.memory.read(offset, count);
    }

    private static Rig sent(Rig rig, int count) {
        rig.fill(rig.a, 0, 4096, 7);
        rig.b.postReceive(Receive.of(9, rig.b.slice(8192, 4096)));
        rig.a.post(Send.of(1, rig.a.slice(0, count)).withSignaled());
        rig.run();
        return rig;
    }

    // rule inline-receive
    @ParameterizedTest
    @CsvSource({"32, 1", "32, 31", "32, 32", "64, 33", "64, 64"})
    void aShortMessageIsInItsCompletionAndNotInItsBuffer(int inline, int count) {
        Rig rig = sent(InlineRig.rc(inline, 0, false, false), count);
        assertThat(rig.b.receives).extracting(WorkCompletion::lengthBytes).containsExactly((long) count);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.inlineData).singleElement().satisfies(inlineData -> {
            assertThat(inlineData.bytes()).isEqualTo(Octets.copyOf(bytes(rig.a, 0, count)));
            assertThat(inlineData.to()).containsExactly(rig.b.slice(8192, 4096));
        });
        assertThat(bytes(rig.b, 8192, count)).containsOnly(0);
        assertThat(rig.b.touched).containsExactly("put " + count + " bytes into the completion of 9");
        assertThat(rig.b.asked).as("keys looked up").isEmpty();
    }

    // rule inline-receive
    @ParameterizedTest
    @CsvSource({"0, 8", "32, 33", "64, 65", "32, 2000", "32, 0"})
    void longerEmptyOrNotRequestedInlineDataIsWrittenAsUsual(int inline, int count) {
        Rig rig = sent(InlineRig.rc(inline, 0, false, false), count);
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.inlineData).isEmpty();
        assertThat(bytes(rig.b, 8192, count)).isEqualTo(bytes(rig.a, 0, count));
    }

    /** As for every message, packets must not be kept: their arrays are reused. */
    @Test
    void inlineDataIsACopyOfThePacketsPayload() {
        Rig rig = InlineRig.rc(32, 0, false, false);
        rig.a.keepsPackets = false;
        sent(rig, 8);
        byte[] first = bytes(rig.a, 0, 8);
        for (int i = 0; i < 3; i++) {
            rig.fill(rig.a, 0, 4096, 99 + i);
            rig.b.postReceive(Receive.of(10 + i, rig.b.slice(8192, 4096)));
            rig.a.post(Send.of(2 + i, rig.a.slice(0, 8)).withSignaled());
            rig.run();
        }
        assertThat(rig.b.inlineData.getFirst().bytes()).isEqualTo(Octets.copyOf(first));
    }

    // rule inline-receive
    @Test
    void aWriteWithImmediateIsNotInline() {
        Rig rig = InlineRig.rc(64, 64, false, true);
        rig.fill(rig.a, 0, 64, 7);
        rig.b.postReceive(Receive.of(9, rig.b.slice(8192, 64)));
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 8), rig.b.remote(16384)).withImmediate(5));
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.inlineData).isEmpty();
        assertThat(bytes(rig.b, 16384, 8)).isEqualTo(bytes(rig.a, 0, 8));
    }

    // rules inline-receive, receive-shared-order
    @Test
    void aSharedReceiveTakesInlineDataToo() {
        Rig rig = InlineRig.rc(32, 0, true, false);
        rig.fill(rig.a, 0, 64, 7);
        rig.b.sources.srq.add(Receive.of(9, rig.b.slice(8192, 64)));
        rig.a.post(Send.of(1, rig.a.slice(0, 16)).withSignaled());
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.inlineData).hasSize(1);
        assertThat(bytes(rig.b, 8192, 16)).containsOnly(0);
    }

    // rules inline-keys, inline-too-long
    @Test
    void aShortMessageNeedsNeitherKeyNorLengthOfItsReceive() {
        Rig rig = InlineRig.rc(32, 0, false, false);
        rig.b.postReceive(Receive.of(9, new LocalSlice(UNKNOWN, 0, 4)));
        rig.a.post(Send.of(1, rig.a.slice(0, 16)).withSignaled());
        rig.run();
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.areReady()).isTrue();
        assertThat(rig.b.inlineData)
                .singleElement()
                .satisfies(inlineData -> assertThat(inlineData.room()).isEqualTo(4));
        rig.b.postReceive(Receive.of(10, new LocalSlice(UNKNOWN, 0, 64)));
        rig.a.post(Send.of(2, rig.a.slice(0, 33)).withSignaled());
        rig.run();
        assertThat(rig.b.receiveStatuses()).as("the same, if it is longer").endsWith(Status.LOC_PROT_ERR);
    }

    // rules inline-receive, rc-duplicate
    @Test
    void aResentMessageIsInlineOnce() {
        Rig rig = InlineRig.rc(32, 0, false, false);
        int[] acks = {0};
        rig.lets = (from, packet) -> packet.opcode() != Opcode.RC_ACKNOWLEDGE || acks[0]++ > 0;
        rig.b.postReceive(Receive.of(9, rig.b.slice(8192, 64)));
        rig.b.postReceive(Receive.of(10, rig.b.slice(8192, 64)));
        rig.a.post(Send.of(1, rig.a.slice(0, 16)).withSignaled());
        rig.runToQuiet();
        assertThat(rig.count(Opcode.RC_SEND_ONLY)).isEqualTo(2);
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.b.inlineData).hasSize(1);
        assertThat(rig.b.receives).extracting(WorkCompletion::workId).containsExactly(9L);
    }

    // rules inline-receive, window-remote-invalidate
    @Test
    void inlineDataFollowsItsInvalidationUnlessThatFails() {
        Rig rig = InlineRig.rc(32, 0, false, false);
        rig.b.postReceive(Receive.of(9, rig.b.slice(8192, 64)));
        rig.b.postReceive(Receive.of(10, rig.b.slice(8192, 64)));
        for (long id = 1; id <= 2; id++) {
            rig.a.post(Send.of(id, rig.a.slice(0, 16)).withInvalidate(0x301).withSignaled());
            rig.run();
            assertThat(rig.b.receives).hasSize((int) id - 1);
            Optional<Denial> refusal = id == 1 ? Optional.empty() : Optional.of(new Denial.NotBound());
            rig.b.machine.invalidated(rig.b.invalidations.remove(), refusal, rig.b.at(rig.now));
            rig.run();
        }
        assertThat(rig.b.receiveStatuses()).containsExactly(Status.SUCCESS, Status.REM_INV_REQ_ERR);
        assertThat(rig.b.inlineData).hasSize(1);
    }

    // rule inline-results
    @Test
    void resultsAreInlineIfAllRequestsAreSignaled() {
        Rig rig = InlineRig.rc(32, 32, false, true);
        rig.fill(rig.b, 0, 64, 7);
        rig.b.memory.writeLong(4096, 40);
        rig.a.post(RdmaRead.of(1, rig.a.slice(20_000, 32), rig.b.remote(0)));
        rig.a.post(FetchAdd.of(2, rig.a.slice(20_100, 8), rig.b.remote(4096), 2));
        rig.a.post(CompareAndSwap.of(3, rig.a.slice(20_200, 8), rig.b.remote(4096), 42, 1));
        rig.run();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS, Status.SUCCESS, Status.SUCCESS);
        assertThat(rig.a.sends).extracting(WorkCompletion::lengthBytes).containsExactly(32L, 8L, 8L);
        assertThat(rig.a.inlineData)
                .extracting(InlineData::bytes)
                .first()
                .isEqualTo(Octets.copyOf(bytes(rig.b, 0, 32)));
        assertThat(rig.a.inlineData)
                .extracting(InlineData::to)
                .containsExactly(
                        List.of(rig.a.slice(20_000, 32)),
                        List.of(rig.a.slice(20_100, 8)),
                        List.of(rig.a.slice(20_200, 8)));
        assertThat(bytes(rig.a, 20_000, 300)).containsOnly(0);
        assertThat(rig.b.memory.readLong(4096)).isEqualTo(1);
        assertThat(rig.a.asked).as("keys looked up").isEmpty();
    }

    // rule inline-results
    @ParameterizedTest
    @ValueSource(ints = {33, 256, 1500})
    void aLongerResultIsWrittenAsUsual(int count) {
        Rig rig = InlineRig.rc(32, 32, false, true);
        rig.fill(rig.b, 0, 2048, 7);
        rig.a.post(RdmaRead.of(1, rig.a.slice(20_000, count), rig.b.remote(0)));
        rig.run();
        assertThat(rig.a.inlineData).isEmpty();
        assertThat(bytes(rig.a, 20_000, count)).isEqualTo(bytes(rig.b, 0, count));
    }

    // rule inline-results
    @Test
    void anUnsignaledRequestsResultIsWrittenAsUsual() {
        Rig rig = InlineRig.rc(32, 32, false, false);
        rig.fill(rig.b, 0, 64, 7);
        rig.a.post(RdmaRead.of(1, rig.a.slice(20_000, 8), rig.b.remote(0)));
        rig.a.post(RdmaRead.of(2, rig.a.slice(20_100, 8), rig.b.remote(0)).withSignaled());
        rig.run();
        assertThat(rig.a.sends).extracting(WorkCompletion::workId).containsExactly(2L);
        assertThat(rig.a.inlineData).hasSize(1);
        assertThat(bytes(rig.a, 20_000, 8)).isEqualTo(bytes(rig.b, 0, 8));
        assertThat(bytes(rig.a, 20_100, 8)).containsOnly(0);
    }

    // rule inline-results
    @Test
    void aResultWhoseFirstResponseIsLostIsCarriedOnce() {
        Rig rig = InlineRig.rc(32, 32, false, true);
        int[] responses = {0};
        rig.lets = (from, packet) -> packet.opcode() != Opcode.RC_READ_RESPONSE_ONLY || responses[0]++ > 0;
        rig.fill(rig.b, 0, 64, 7);
        rig.a.post(RdmaRead.of(1, rig.a.slice(20_000, 8), rig.b.remote(0)));
        rig.runToQuiet();
        assertThat(rig.a.sendStatuses()).containsExactly(Status.SUCCESS);
        assertThat(rig.a.inlineData).hasSize(1);
    }

    // rule inline-receive
    @Test
    void unreliableConnectionsCarryMessagesToo() {
        Rig rig = UcTest.rig(UcTest.TERMS, Profile.CONNECTX_5, 32);
        rig.fill(rig.a, 0, 1024, 7);
        rig.b.postReceive(Receive.of(9, rig.b.slice(8192, 1024)));
        rig.b.postReceive(Receive.of(10, rig.b.slice(8192, 1024)));
        rig.a.post(Send.of(1, rig.a.slice(0, 16)).withSignaled());
        rig.a.post(Send.of(2, rig.a.slice(0, 600)).withSignaled());
        rig.run();
        assertThat(rig.b.receives).extracting(WorkCompletion::lengthBytes).containsExactly(16L, 600L);
        assertThat(rig.b.inlineData).hasSize(1);
        assertThat(rig.b.machine.state()).isEqualTo(QpState.RTS);
    }
}
