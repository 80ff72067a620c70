// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.List;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Users' own packets on the wire, and their own code next to it. */
@Tag("judge")
class RewrittenPacketsTest {
    private static final int QKEY = 7;

    /** Sends every opcode to a queue pair of every transport: none crashes an actor. */
    @ParameterizedTest
    @EnumSource(Opcode.class)
    void noRewrittenPacketCrashesItsReceiver(Opcode opcode) {
        try (World world = World.of(WorldOptions.of(3).with(Watch.RECORDED))) {
            ProtectionDomain a = world.adapter("a").process("app").open().allocatePd();
            ProtectionDomain b = world.adapter("b").process("app").open().allocatePd();
            QpPair<UcQueuePair> carrier = world.await(QpPair.connectUc(a, b));
            QpPair<RcQueuePair> rc = world.await(QpPair.connectRc(a, b));
            UdQueuePair ud = world.await(b.createQp(QpDescription.ud()));
            world.await(ud.activate(QKey.of(QKEY)));
            for (QueuePair target : List.of(rc.remote(), carrier.remote(), ud)) {
                target.postReceive(Receive.of(1));
                for (int bytes : new int[] {0, 1, 1024, 1025, 5000}) {
                    world.network()
                            .intercept(transit -> transit.packet().opcode() == Opcode.UC_SEND_ONLY
                                    ? new Verdict.Replace("forged", forged(transit.packet(), opcode, target, bytes))
                                    : Verdict.PASS);
                    world.await(carrier.local().submit(Send.of(1)));
                    world.runToQuiet(Duration.ofSeconds(1));
                    world.network().intercept(Interceptor.NONE);
                }
            }
            assertThat(world.trace().events())
                    .noneMatch(event ->
                            event instanceof HcaEvent.Raised raised && raised.reason() == DependencyFailure.ITS_ACTOR);
        }
    }

    private static Packet forged(Packet like, Opcode opcode, QueuePair to, int bytes) {
        int payload = opcode.carriesPayload() ? bytes : 0;
        Bth bth = Bth.of(opcode, opcode != Opcode.DC_CONNECT, true, payload, 0xFFFF, to.number(), true, 0);
        List<ExtendedHeader> headers =
                opcode.extended().stream().map(kind -> header(kind, opcode)).toList();
        return new Packet(like.route(), bth, headers, Octets.wrap(new byte[payload], 0, payload));
    }

    private static ExtendedHeader header(HeaderKind kind, Opcode opcode) {
        return switch (kind) {
            case RETH -> new ExtendedHeader.Reth(-1, 0x1234, -1);
            case ATOMIC_ETH -> new ExtendedHeader.AtomicEth(7, 0x1234, 1, 1);
            case AETH -> new ExtendedHeader.Aeth(0xFF, 0);
            case ATOMIC_ACK_ETH -> new ExtendedHeader.AtomicAckEth(1);
            case DETH -> new ExtendedHeader.Deth(QKEY, 0xFF, 0xFF_FFFF);
            case IMMEDIATE -> new ExtendedHeader.Immediate(-1);
            case IETH -> new ExtendedHeader.Ieth(0x1234);
            case ATOMIC_SIZE ->
                new ExtendedHeader.AtomicSize(3, opcode.transport().number(), 0);
            case ATOMIC_ADDRESS -> new ExtendedHeader.AtomicAddress(7, 0x1234);
            case XRC_ETH -> new ExtendedHeader.XrcEth(0xFF, 0xFF_FFFF);
            case DC_ETH -> new ExtendedHeader.DcEth(0xFF, 0xFF_FFFF, 0xFF, 0xFF_FFFF);
            case DC_CONNECT_ETH -> new ExtendedHeader.DcConnectEth(true, 15, 0xFF_FFFF, 0, -1);
        };
    }

    /** The three places for user code on the fabric. */
    private enum Place {
        CONDITION,
        REWRITE,
        TAP
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void anExceptionOfUserCodeFailsTheRunOnceAndTrafficContinues(Place place) {
        try (World world = World.of(4)) {
            Adapter a = world.adapter("a");
            ConnectedPair pair = world.connect(a, world.adapter("b"));
            pair.b().qp().postReceive(Receive.of(1));
            switch (place) {
                case CONDITION ->
                    world.faults()
                            .on(packet().where("odd", transit -> {
                                throw new IllegalStateException("the user's own");
                            }))
                            .drop();
                case REWRITE ->
                    world.faults().on(packet().from(a)).rewrite("odd", packet -> {
                        throw new IllegalStateException("the user's own");
                    });
                case TAP ->
                    world.network().tap(event -> {
                        throw new IllegalStateException("the user's own");
                    });
            }
            var sent = pair.a().qp().submit(Send.of(1));
            assertThatThrownBy(() -> world.await(sent))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("the user's own");
            assertThat(world.await(sent).status()).isEqualTo(Status.SUCCESS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aRewriteToAnInvalidPacketFailsTheRunWithTheReason(int headers) {
        try (World world = World.of(5)) {
            ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
            List<ExtendedHeader> wrong =
                    List.<ExtendedHeader>of(new ExtendedHeader.Immediate(1)).subList(0, headers);
            world.faults()
                    .on(packet().write())
                    .rewrite("wrong headers", p -> new Packet(p.route(), p.bth(), wrong, p.payload()));
            var sent = pair.a()
                    .qp()
                    .submit(org.hcaactors.api.work.RdmaWrite.of(
                            1, pair.a().slice(0, 8), pair.b().remote(0)));
            assertThatThrownBy(() -> world.await(sent))
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("RC_WRITE_ONLY has the headers [RETH], not " + wrong);
            assertThat(world.await(sent).status()).isEqualTo(Status.SUCCESS);
        }
    }

    @Test
    void anAssertionInATapFailsTheRun() {
        try (World world = World.of(6)) {
            ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
            world.network().tap(event -> assertThat(event.packet().psn()).isNegative());
            pair.a().qp().post(Send.of(1));
            assertThatThrownBy(world::settle).isInstanceOf(AssertionError.class);
        }
    }
}
