// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.work.PacketBatch;
import org.hcaactors.adapter.work.SideStatus;
import org.hcaactors.adapter.work.Target;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.device.Profile;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The requests of a train that may skip the filter behind a previous one, and those that must not. */
class RequestBatchTest {
    private static final Route WAY = way(0x0A00_0001);
    private static final int PKEY = 0xFFFF;

    private final Side side = new Side("x", 0x11, 1, Profile.CONNECTX_5, false);
    private final Turn turn = side.turn;

    private static Route way(int source) {
        return new Route(PortAddress.ofIpv4(source), PortAddress.ofIpv4(0x0A00_0002), 0, 64, 0, 0xC000);
    }

    private static Bth bth(Opcode opcode, int version, int pkey, int psn) {
        return new Bth(
                opcode, false, true, (byte) 0, (byte) version, pkey, false, false, (byte) 0, 0x11, true, (byte) 0, psn);
    }

    private static Packet send(int psn) {
        return new Packet(WAY, bth(Opcode.RC_SEND_ONLY, 0, PKEY, psn), List.of(), Octets.NONE);
    }

    private static Packet write(int psn, int key) {
        List<ExtendedHeader> where = List.of(new ExtendedHeader.Reth(0, key, 0));
        return new Packet(WAY, bth(Opcode.RC_WRITE_ONLY, 0, PKEY, psn), where, Octets.NONE);
    }

    private static Packet answer(int psn) {
        List<ExtendedHeader> how = List.of(new ExtendedHeader.Aeth(0, 0));
        return new Packet(WAY, bth(Opcode.RC_ACKNOWLEDGE, 0, PKEY, psn), how, Octets.NONE);
    }

    /** Executes requests as long as the test allows it. */
    private static final class Listener implements Target {
        private final List<Integer> taken = new ArrayList<>();
        private final int doneBelow;

        Listener(int doneBelow) {
            this.doneBelow = doneBelow;
        }

        @Override
        public Optional<Reason> refusal(Packet packet, Turn turn) {
            return Optional.empty();
        }

        @Override
        public void request(Packet packet, Turn turn) {
            taken.add(packet.psn());
        }

        @Override
        public boolean isDoneWith(Packet request) {
            return request.psn() < doneBelow;
        }

        @Override
        public SideStatus settle(Turn turn) {
            return SideStatus.RUNNING;
        }
    }

    /** A train whose first packet went through the general path. */
    private boolean follows(Listener target, Packet... packets) {
        PacketBatch batch = new PacketBatch(packets, new long[0]);
        batch.take(turn);
        return RequestBatch.follows(batch, target, turn);
    }

    @Test
    void equalRequestsContinueABatch() {
        Listener target = new Listener(100);
        assertThat(follows(
                        target,
                        IntStream.range(0, 5).mapToObj(RequestBatchTest::send).toArray(Packet[]::new)))
                .isTrue();
        assertThat(target.taken).containsExactly(1, 2, 3, 4);
    }

    @Test
    void noPacketContinuesABatchBehindAnUnfinishedRequest() {
        Listener target = new Listener(0);
        assertThat(follows(target, send(0), send(1))).isFalse();
        assertThat(target.taken).isEmpty();
    }

    @Test
    void anUnfinishedRequestEndsTheBatch() {
        Listener target = new Listener(2);
        assertThat(follows(target, send(0), send(1), send(2), send(3))).isTrue();
        assertThat(target.taken).containsExactly(1, 2);
    }

    @Test
    void noPacketContinuesABatchBehindAResponse() {
        Listener target = new Listener(100);
        assertThat(follows(target, answer(0), answer(1))).isFalse();
        assertThat(target.taken).isEmpty();
    }

    static Stream<Arguments> others() {
        return Stream.of(
                argumentSet("another operation", send(0), write(1, 7)),
                argumentSet("another key", write(0, 7), write(1, 8)),
                argumentSet(
                        "another partition",
                        send(0),
                        new Packet(WAY, bth(Opcode.RC_SEND_ONLY, 0, 0x7FFF, 1), List.of(), Octets.NONE)),
                argumentSet(
                        "another version",
                        send(0),
                        new Packet(WAY, bth(Opcode.RC_SEND_ONLY, 1, PKEY, 1), List.of(), Octets.NONE)),
                argumentSet(
                        "another sender",
                        send(0),
                        new Packet(way(0x0A00_0003), bth(Opcode.RC_SEND_ONLY, 0, PKEY, 1), List.of(), Octets.NONE)));
    }

    @ParameterizedTest
    @MethodSource("others")
    void aPacketThatTheFilterMustCheckContinuesNoBatch(Packet one, Packet other) {
        Listener target = new Listener(100);
        assertThat(follows(target, one, other)).isFalse();
        assertThat(target.taken).isEmpty();
    }

    @Test
    void everyPacketOfABatchIsCausedByItsOwnArrival() {
        PacketBatch batch = new PacketBatch(new Packet[] {send(0), send(1)}, new long[] {21, 22});
        batch.take(turn);
        assertThat(turn.input()).isEqualTo(21);
        RequestBatch.follows(batch, new Listener(100), turn);
        assertThat(turn.input()).isEqualTo(22);
    }
}
