// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.fault.PacketMatch.packet;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.fabric.wire.FrameDamage;
import org.hcaactors.views.flow.Ladder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Forged packets arrive next to real ones, the trace distinguishes them, and adapters refuse those that they can detect. */
class ForgeryTest extends StruckPair {
    private FabricEvent.Forged forged() {
        return world.trace().of(FabricEvent.Forged.class).findFirst().orElseThrow();
    }

    static Stream<Arguments> ignored() {
        return Stream.of(
                arguments(
                        Forgery.answer(Opcode.RC_ACKNOWLEDGE)
                                .add(ForgedField.PSN, 1)
                                .set(ForgedField.SYNDROME, Syndrome.ACK),
                        "ghost response: its PSN is not outstanding"),
                arguments(
                        Forgery.answer(Opcode.RC_ACKNOWLEDGE)
                                .add(ForgedField.PSN, -1)
                                .set(ForgedField.SYNDROME, Syndrome.NAK_REMOTE_ACCESS),
                        "ghost response: its PSN is not outstanding"),
                arguments(
                        Forgery.answer(Opcode.RC_READ_RESPONSE_ONLY).add(ForgedField.PSN, 1),
                        "ghost response: its PSN is not outstanding"),
                arguments(Forgery.copy().set(ForgedField.VERSION, 1), "transport version 1"),
                arguments(Forgery.copy().set(ForgedField.PKEY, 0x1234), "P_Key 0x1234; this queue pair's is 0xffff"),
                arguments(Forgery.copy().opcode(Opcode.UD_SEND_ONLY), "UD_SEND_ONLY for a queue pair of class RC"),
                arguments(
                        Forgery.copy().opcode(Opcode.DC_DISCONNECT).set(ForgedField.SESSION, 0x101),
                        "DC_DISCONNECT for a queue pair of class RC"),
                arguments(Forgery.copy().opcode(Opcode.CNP), "CNP for a queue pair of class RC"),
                arguments(
                        Forgery.copy().opcode(Opcode.XRC_WRITE_ONLY).set(ForgedField.XRC_SRQ, 5),
                        "XRC_WRITE_ONLY for a queue pair of class RC"),
                arguments(Forgery.copy().add(ForgedField.SOURCE, 7), "which is not the peer"));
    }

    @ParameterizedTest
    @MethodSource("ignored")
    void anImpossibleForgeryIsIgnoredAndTheRequestSucceeds(Forgery forgery, String reason) {
        world.faults().on(packet().write()).first().forge(forgery.ahead());
        assertThat(write(64).status()).isEqualTo(Status.SUCCESS);
        world.settle();
        assertThat(world.trace().of(HcaEvent.Discarded.class)).singleElement().satisfies(ignored -> {
            assertThat(ReasonTexts.of(ignored.reason())).contains(reason);
            assertThat(ignored.packet()).isEqualTo(forged().packet());
        });
    }

    static Stream<Arguments> lost() {
        return Stream.of(
                arguments(Forgery.copy().set(ForgedField.OPCODE, 0x1F), "malformed: opcode 0x1f"),
                arguments(Forgery.copy().set(ForgedField.OPCODE, 0x58), "malformed: opcode 0x58"),
                arguments(Forgery.copy().add(ForgedField.QP, 1), "no queue pair of that number"),
                arguments(
                        Forgery.copy().damaged(new FrameDamage.Truncate(9)),
                        "malformed: captured 95 of 104 bytes of UDP"),
                arguments(
                        Forgery.copy().damaged(new FrameDamage.Resize(-80)), "RC_WRITE_ONLY needs 28 bytes of headers"),
                arguments(Forgery.copy().damaged(new FrameDamage.Poke(12, 0x86)), "not RoCEv2: ethertype 0x8600"),
                arguments(
                        Forgery.copy().damaged(new FrameDamage.Poke(14, 0x46)),
                        "not RoCEv2: IPv4 with first byte 0x46"));
    }

    @ParameterizedTest
    @MethodSource("lost")
    void aForgedPacketWithoutReceiverIsDropped(Forgery forgery, String reason) {
        world.faults().on(packet().write()).first().forge(forgery.ahead());
        assertThat(write(64).status()).isEqualTo(Status.SUCCESS);
        assertThat(world.trace().of(FabricEvent.Dropped.class)).singleElement().satisfies(dropped -> {
            assertThat(dropped.reason()).contains(reason);
            assertThat(dropped.stamp().cause()).isEqualTo(forged().stamp().id());
        });
    }

    @Test
    void aForgedFrameWithAWrongIcrcIsCountedByItsReceiver() {
        world.faults().on(packet().write()).first().forge(Forgery.copy().damaged(new FrameDamage.WrongIcrc()));
        assertThat(write(64).status()).isEqualTo(Status.SUCCESS);
        assertThat(b.counters()).containsEntry("rx_icrc_encapsulated", 1L);
    }

    @Test
    void aForgedWriteWithAWrongKeyWritesNothingAndFails() {
        world.faults()
                .on(packet().write())
                .first()
                .forge(Forgery.copy().add(ForgedField.RKEY, 5).ahead());
        WorkCompletion done = write(64);
        assertThat(done.status()).isEqualTo(Status.REM_ACCESS_ERR);
        assertThat(world.trace().of(HcaEvent.MemoryWritten.class)).isEmpty();
        assertThat(world.explain(done).toString())
                .contains("received WRITE_ONLY psn 0 64 B", "no port sent the WRITE_ONLY", "rkey +5");
    }

    @Test
    void aForgedAnswerEndsARequestAndIsExplained() {
        world.faults()
                .on(packet().write())
                .first()
                .forge(Forgery.answer(Opcode.RC_ACKNOWLEDGE).set(ForgedField.SYNDROME, Syndrome.NAK_REMOTE_OPERATION));
        WorkCompletion done = write(64);
        assertThat(done.status()).isEqualTo(Status.REM_OP_ERR);
        assertThat(world.explain(done).toString()).contains("no port sent the NAK remote operation psn 0");
    }

    @Test
    void aForgedReadResponseIsAcceptedInPlaceOfARealOne() {
        world.faults()
                .on(packet().readRequest())
                .first()
                .forge(Forgery.answer(Opcode.RC_READ_RESPONSE_ONLY)
                        .set(ForgedField.SYNDROME, Syndrome.ACK)
                        .set(ForgedField.PAYLOAD, 16));
        WorkCompletion done = world.await(pair.a()
                .qp()
                .submit(RdmaRead.of(1, pair.a().slice(0, 16), pair.b().remote(0))));
        assertThat(done.status()).as("no adapter can tell it from a real one").isEqualTo(Status.SUCCESS);
        assertThat(pair.a().memory().read(0, 16)).containsOnly(0xEE);
        assertThat(world.faults().hasForged()).isTrue();
    }

    @Test
    void aPacketReplacedByAForgeryIsResent() {
        world.faults()
                .on(packet().write())
                .first()
                .forge(Forgery.copy().set(ForgedField.VERSION, 3).instead());
        assertThat(write(64).status()).isEqualTo(Status.SUCCESS);
        assertThat(world.trace().of(HcaEvent.Retransmitting.class)).hasSize(1);
    }

    @Test
    void theLadderShowsAForgedPacketWithItsFault() {
        world.faults()
                .on(packet().ack())
                .first()
                .forge(Forgery.copy().add(ForgedField.PSN, 1).after(Duration.ofNanos(5000)));
        assertThat(write(64).status()).isEqualTo(Status.SUCCESS);
        world.runFor(Duration.ofNanos(20_000));
        assertThat(Ladder.of(world.trace().events()))
                .anyMatch(
                        line -> line.matches(
                                ".* ACK psn 1 msn 1 ─┤ +qp\\d+ forged by \"forge a copy \\(psn \\+1\\) 5.000 us behind the 1st ACK\"; arrives.*"));
    }

    /** Any change gives a valid packet or an invalid one, but never an exception. */
    @ParameterizedTest
    @EnumSource(ForgedField.class)
    void everyFieldCanBeChanged(ForgedField field) {
        world.faults()
                .on(packet().write())
                .first()
                .forge(Forgery.copy().set(field, -1).ahead());
        world.faults()
                .on(packet().response())
                .first()
                .forge(Forgery.copy().add(field, 1).ahead());
        write(64);
        world.settle();
        Packet first = forged().packet();
        assertThat(first).isNotNull();
        assertThat(Arrays.stream(ForgedField.values()).map(ForgedField::text)).doesNotHaveDuplicates();
    }

    @Test
    void aFieldIsChangedOnce() {
        Forgery twice = Forgery.copy().set(ForgedField.PSN, 1);
        assertThatThrownBy(() -> twice.add(ForgedField.PSN, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("each field may be changed only once: psn 1, psn +1");
    }

    @Test
    void aSimplerForgeryHasOneDifferenceLess() {
        Forgery forgery = Forgery.copy()
                .set(ForgedField.PSN, 1)
                .add(ForgedField.QP, 2)
                .ahead()
                .damaged(new FrameDamage.WrongIcrc());
        assertThat(forgery.simpler())
                .containsExactly(
                        Forgery.copy()
                                .set(ForgedField.PSN, 1)
                                .add(ForgedField.QP, 2)
                                .ahead(),
                        Forgery.copy()
                                .set(ForgedField.PSN, 1)
                                .add(ForgedField.QP, 2)
                                .damaged(new FrameDamage.WrongIcrc()),
                        Forgery.copy().set(ForgedField.PSN, 1).ahead().damaged(new FrameDamage.WrongIcrc()),
                        Forgery.copy().add(ForgedField.QP, 2).ahead().damaged(new FrameDamage.WrongIcrc()));
    }

    @Test
    void onlyAForgeryThatLooksRealToAPortMayBeBelieved() {
        assertThat(Forgery.copy().damaged(new FrameDamage.WrongIcrc()).mayBeBelieved())
                .isFalse();
        assertThat(Forgery.copy().damaged(new FrameDamage.Truncate(1)).mayBeBelieved())
                .isFalse();
        assertThat(Forgery.copy().damaged(new FrameDamage.Resize(4)).mayBeBelieved())
                .isTrue();
        assertThat(Forgery.copy().mayBeBelieved()).isTrue();
    }
}
