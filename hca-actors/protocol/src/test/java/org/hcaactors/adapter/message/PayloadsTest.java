// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.adapter.state.Rig;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.ExtendedHeader.Aeth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payload arrays: shared by a burst, and reused only when no packet refers to them any more. */
class PayloadsTest {
    private static final int LENGTH = 60_000;

    private static Rig rig(boolean kept) {
        Rig rig = new Rig(
                Rig.TERMS.withMtu(PathMtu.BYTES_4096).withRnrRetry(7).withMinRnrTimerCode(1),
                Profile.CONNECTX_5,
                false);
        rig.a.keepsPackets = kept;
        rig.b.keepsPackets = kept;
        return rig;
    }

    @Test
    void withoutAcknowledgementsOutstandingBytesAreLimited() {
        Rig rig = rig(false);
        rig.lets = (from, packet) -> from == rig.a;
        for (int i = 0; i < 20; i++) {
            rig.a.post(RdmaWrite.of(i, rig.a.slice(0, LENGTH), rig.b.remote(0)));
        }
        rig.run();
        int bytes = rig.wire.stream()
                .filter(packet -> packet.operation().isWrite())
                .mapToInt(packet -> packet.payload().length())
                .sum();
        assertThat(bytes).isBetween(3 * Payloads.BURST_BYTES, 5 * Payloads.BURST_BYTES);
        assertThat(rig.wire).anyMatch(packet -> packet.bth().ackReq());
    }

    @Test
    void ifPacketsAreKeptSendingNeedsNoAcknowledgements() {
        Rig rig = rig(true);
        rig.lets = (from, packet) -> from == rig.a;
        for (int i = 0; i < 20; i++) {
            rig.a.post(RdmaWrite.of(i, rig.a.slice(0, LENGTH), rig.b.remote(0)));
        }
        rig.run();
        assertThat(rig.wire.stream().filter(p -> p.operation().isWrite()).count())
                .isEqualTo(20 * 15);
    }

    @Test
    void ifPacketsAreKeptNoPayloadChanges() {
        Rig rig = rig(true);
        for (int i = 0; i < 30; i++) {
            rig.fill(rig.a, 0, LENGTH, i);
            rig.a.post(RdmaWrite.of(i, rig.a.slice(0, LENGTH), rig.b.remote(0)));
            int before = rig.wire.size();
            rig.run();
            Octets first = rig.wire.get(before).payload();
            assertThat(first.toArray()).isEqualTo(rig.a.memory.read(0, first.length()));
        }
        Packet oldest = rig.wire.getFirst();
        rig.fill(rig.a, 0, LENGTH, 0);
        assertThat(oldest.payload().toArray()).isEqualTo(rig.a.memory.read(0, 4096));
    }

    /** With loss in both directions, so that arrays are released and reused in every order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyByteArrivesWhileArraysAreReused(long seed) {
        Rig rig = rig(false);
        SplittableRandom chance = new SplittableRandom(seed);
        rig.lets = (from, packet) -> chance.nextInt(100) >= 3;
        for (int round = 0; round < 40; round++) {
            int length = 1 + chance.nextInt(round % 2 == 0 ? 200 : 30_000);
            int offset = chance.nextInt(1000);
            rig.fill(rig.a, 0, 32_000, round);
            boolean send = chance.nextBoolean();
            rig.b.postReceive(Receive.of(round, rig.b.slice(0, 32_000)));
            if (send) {
                rig.a.post(Send.of(round, rig.a.slice(offset, length)).withSignaled());
            } else {
                rig.a.post(RdmaWrite.of(round, rig.a.slice(offset, length), rig.b.remote(0))
                        .withImmediate(1)
                        .withSignaled());
            }
            rig.runToQuiet();
            assertThat(rig.b.memory.read(0, length)).isEqualTo(rig.a.memory.read(offset, length));
        }
        assertThat(rig.a.sendStatuses()).hasSize(40).containsOnly(Status.SUCCESS);
    }

    // --- arrays of 64 KiB, sixteen packets each ---

    private static void post(Rig rig, int messages, int bytes) {
        for (int i = 0; i < messages; i++) {
            rig.a.post(RdmaWrite.of(i, rig.a.slice(0, bytes), rig.b.remote(0)));
        }
    }

    /** No packet arrives; the test injects the responses. */
    private static Rig unansweredRig(boolean kept) {
        Rig rig = rig(kept);
        rig.lets = (from, packet) -> false;
        rig.fill(rig.a, 0, Side.MEMORY, 1);
        return rig;
    }

    private static void acknowledged(Rig rig, int packets) {
        rig.inject(rig.a, Opcode.RC_ACKNOWLEDGE, 99 + packets, Octets.NONE, new Aeth(Syndrome.ACK, 0));
        rig.run();
    }

    @Test
    void fourFullArraysAndTheCurrentOneMayBeOutstanding() {
        Rig rig = unansweredRig(false);
        post(rig, 20, Side.MEMORY);
        rig.run();
        assertThat(rig.wire).hasSize(5 * 16);
        acknowledged(rig, 15);
        assertThat(rig.wire).as("the last of its packets counts").hasSize(5 * 16);
        acknowledged(rig, 2 * 16);
        assertThat(rig.wire).hasSize(7 * 16);
        acknowledged(rig, 7 * 16);
        assertThat(rig.wire).hasSize(12 * 16);
    }

    @Test
    void inlineDataNeedsNoArrayAndNoKey() {
        Rig rig = unansweredRig(false);
        post(rig, 5, Side.MEMORY);
        Octets bytes = Octets.copyOf(new byte[] {1, 2, 3});
        Send send = Send.of(9, rig.a.slice(0xBAD00, 0, 3)).withInline();
        rig.a.machine.postSend(
                new PostedRequest(send, CompletionKind.SEND, 3, PostedRequest.Extras.of(bytes, null, null, 0)),
                rig.a.turn);
        post(rig, 1, Side.MEMORY);
        rig.run();
        assertThat(rig.wire).hasSize(5 * 16 + 1);
        assertThat(rig.wire.getLast().payload()).isEqualTo(bytes);
    }

    /** A new array costs more than the copy into it. */
    @Test
    void aFullArrayIsReusedOnlyWhenAcknowledgedAndUnreferenced() {
        for (boolean kept : new boolean[] {false, true}) {
            Rig rig = unansweredRig(kept);
            post(rig, 2, Side.MEMORY);
            rig.run();
            Octets first = rig.wire.getFirst().payload();
            byte[] sent = first.toArray();
            rig.fill(rig.a, 0, Side.MEMORY, 2);
            acknowledged(rig, 15);
            post(rig, 1, Side.MEMORY);
            rig.run();
            assertThat(first.toArray()).as("its last packet may be on its way").isEqualTo(sent);
            acknowledged(rig, 16);
            post(rig, 1, Side.MEMORY);
            rig.run();
            assertThat(Arrays.equals(first.toArray(), sent)).isEqualTo(kept);
        }
    }

    @Test
    void theCurrentArrayRestartsOnlyWhenAcknowledgedAndUnreferenced() {
        for (boolean kept : new boolean[] {false, true}) {
            Rig rig = unansweredRig(kept);
            post(rig, 2, 100);
            rig.run();
            Octets first = rig.wire.getFirst().payload();
            byte[] sent = first.toArray();
            rig.fill(rig.a, 0, 100, 2);
            acknowledged(rig, 1);
            post(rig, 1, 100);
            rig.run();
            assertThat(first.toArray())
                    .as("the second packet may be on its way")
                    .isEqualTo(sent);
            acknowledged(rig, 3);
            post(rig, 1, 100);
            rig.run();
            assertThat(Arrays.equals(first.toArray(), sent)).isEqualTo(kept);
        }
    }

    @Test
    void whenKeepingBeginsNoOlderArrayIsReused() {
        Rig rig = unansweredRig(false);
        post(rig, 3, Side.MEMORY);
        rig.run();
        acknowledged(rig, 2 * 16);
        rig.a.keepsPackets = true;
        acknowledged(rig, 3 * 16);
        Octets first = rig.wire.getFirst().payload();
        byte[] sent = first.toArray();
        rig.fill(rig.a, 0, Side.MEMORY, 2);
        post(rig, 3, Side.MEMORY);
        rig.run();
        assertThat(first.toArray()).isEqualTo(sent);
    }

    private static List<Integer> asked(Rig rig) {
        return rig.wire.stream()
                .filter(packet -> packet.bth().ackReq())
                .map(packet -> packet.psn() - 100)
                .toList();
    }

    /** So that the array returns in time. */
    @Test
    void packetsThatFillAnArrayRequestAnAcknowledgement() {
        Rig aligned = unansweredRig(false);
        post(aligned, 3, Side.MEMORY);
        aligned.run();
        assertThat(asked(aligned)).containsExactly(15, 16, 31, 32, 47);
        Rig across = unansweredRig(false);
        post(across, 3, LENGTH);
        across.run();
        assertThat(asked(across)).containsExactly(14, 15, 16, 29, 31, 32, 44);
    }

    @Test
    void aShortArrayRequestsNoExtraAcknowledgement() {
        Rig rig = new Rig(Rig.TERMS.withMtu(PathMtu.BYTES_256));
        rig.a.post(RdmaWrite.of(1, rig.a.slice(0, 4096), rig.b.remote(0)));
        rig.run(rig.a);
        assertThat(rig.a.out.stream().filter(packet -> packet.bth().ackReq())).hasSize(1);
    }
}
