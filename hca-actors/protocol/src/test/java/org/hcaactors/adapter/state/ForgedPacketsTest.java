// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.adapter.work.DatagramPath;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UcConnection;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.HeaderKind;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.packet.TransportClass;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Packets that no correct peer sends: every opcode to every kind of queue pair, with headers, lengths and PSNs at their limits,
 * alone and combined. A machine may handle them in any way, but must not throw.
 */
@Tag("judge")
class ForgedPacketsTest {
    private static final int QKEY = 0x1111_1111;
    private static final int FIRST_PSN = 0xFF_FFFE;
    private static final int QUEUE = 5;
    private static final int FOREIGN_QUEUE = 6;
    private static final int SESSION = 9;
    private static final RcConnection TERMS = RcConnection.DEFAULT
            .withMtu(org.hcaactors.api.address.PathMtu.BYTES_256)
            .withFirstPsn(FIRST_PSN)
            .withTimeoutCode(8)
            .withRetryCount(1)
            .withRnrRetry(1)
            .withMinRnrTimerCode(1);
    private static final int ROUNDS = Integer.getInteger("hca.forged", 4000);
    private static final int[] LENGTHS = {0, 1, 3, 4, 8, 255, 256, 257, 1024, 4096, 8900};
    private static final int[] PSN_STEPS = {0, 0, 0, 1, 2, -1, -2, 5, 1 << 22, 1 << 23, -(1 << 22)};
    private static final long[] ODD_LONGS = {0, 1, 7, -1, Long.MIN_VALUE, Long.MAX_VALUE};
    private static final int[] RDMA_LENGTHS = {0, 1, 8, 256, 257, 600, 1 << 20, 0x7FFF_FFFF, 0x8000_0000, -1};

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DC_INI", "DC_TGT"})
    void noPacketMakesAQueuePairThrow(QpType type) {
        for (Opcode opcode : Opcode.values()) {
            for (int length : LENGTHS) {
                SplittableRandom chance = new SplittableRandom(opcode.ordinal() * 31L + length);
                for (int variant = 0; variant < 12; variant++) {
                    Rig rig = rig(type, chance);
                    feed(rig, forged(opcode, length, rig, chance), opcode + " with " + length + " bytes");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DC_INI", "DC_TGT"})
    void noSequenceOfPacketsMakesAQueuePairThrow(QpType type) {
        for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom chance = new SplittableRandom(round);
            Rig rig = rig(type, chance);
            List<Opcode> likely = List.of(Opcode.values()).stream()
                    .filter(opcode -> opcode.transport() == spokenBy(type))
                    .toList();
            for (int i = 0; i < 8; i++) {
                Opcode opcode = likely.get(chance.nextInt(likely.size()));
                rig.answersLeases = chance.nextInt(4) != 0;
                int length = LENGTHS[chance.nextInt(LENGTHS.length)];
                feed(rig, forged(opcode, length, rig, chance), "round " + round + ", packet " + i);
            }
            rig.answersLeases = true;
            rig.run();
            while (isDc(type) && !rig.b.invalidations.isEmpty()) {
                rig.b.machine.invalidated(rig.b.invalidations.remove(), Optional.empty(), rig.b.at(rig.now));
                rig.run();
            }
            rig.runToQuiet();
        }
    }

    private static TransportClass spokenBy(QpType type) {
        return switch (type) {
            case RC -> TransportClass.RC;
            case UC -> TransportClass.UC;
            case UD -> TransportClass.UD;
            case XRC_INI, XRC_TGT -> TransportClass.XRC;
            case DC_INI, DC_TGT -> TransportClass.DC;
        };
    }

    private static boolean isXrc(QpType type) {
        return spokenBy(type) == TransportClass.XRC;
    }

    private static boolean isDc(QpType type) {
        return spokenBy(type) == TransportClass.DC;
    }

    private static void feed(Rig rig, Packet packet, String which) {
        Side to = packet.bth().destQp() == rig.a.number ? rig.a : rig.b;
        try {
            to.machine.receive(packet, to.at(rig.now));
            rig.run();
        } catch (RuntimeException crash) {
            fail(which + ": " + packet, crash);
        }
        assertThat(to.machine.state()).isIn(QpState.RTR, QpState.RTS, QpState.ERR, QpState.SQE);
    }

    /** A responder that serves that initiator. */
    private static Side responder(Profile profile) {
        QpPlan.Session session =
                new QpPlan.Session(SESSION, 0, profile.dynamicallyConnected().version(), 256_000);
        return new Side(
                "b",
                0x22,
                2,
                QpType.DC_TGT,
                true,
                profile,
                QpCapacity.DEFAULT,
                QpDescription.Options.DEFAULT,
                Optional.of(session));
    }

    /**
     * A ready pair of machines, with receives posted at b, and with requests of every kind under way from a that never reach b.
     */
    private static Rig rig(QpType type, SplittableRandom chance) {
        boolean dc = isDc(type);
        Profile profile = chance.nextBoolean() ? Profile.CONNECTX_5 : dc ? Profile.CONNECTX_4 : Profile.SOFT_ROCE;
        boolean xrc = isXrc(type);
        boolean shared = dc || type != QpType.UC && !xrc && chance.nextInt(4) == 0;
        QpType asks = xrc ? QpType.XRC_INI : dc ? QpType.DC_INI : type;
        QpType asked = xrc ? QpType.XRC_TGT : dc ? QpType.DC_TGT : type;
        Side a = new Side("a", 0x11, 1, asks, false, profile, false);
        Side b = dc ? responder(profile) : new Side("b", 0x22, 2, asked, shared, profile, false);
        if (xrc) {
            b.offers(QUEUE, 1);
            b.offers(FOREIGN_QUEUE, 2);
        }
        ready(a, b, asks);
        ready(b, a, asked);
        Rig rig = new Rig(a, b);
        for (int i = 0; i < 3; i++) {
            Receive receive = chance.nextInt(5) == 0
                    ? Receive.of(i)
                    : Receive.of(i, b.slice(4096L * i, 1 + chance.nextInt(1024)));
            if (xrc) {
                Objects.requireNonNull(b.sources.named.get(i == 1 ? FOREIGN_QUEUE : QUEUE))
                        .add(receive);
            } else if (shared) {
                b.sources.srq.add(receive);
            } else if (chance.nextInt(5) != 0) {
                b.postReceive(receive);
            }
        }
        if (type == QpType.RC || xrc || dc) {
            @Nullable Destination to = xrc ? Destination.Named.sharedReceives(QUEUE) : dc ? target(a, b) : null;
            boolean connects = chance.nextBoolean();
            rig.lets = (from, packet) -> from != a || connects && packet.operation() == Operation.CONNECT;
            switch (chance.nextInt(6)) {
                case 0 -> a.post(Send.of(1, a.slice(0, 600)), to);
                case 1 -> a.post(RdmaWrite.of(1, a.slice(0, 600), b.remote(0)), to);
                case 2 -> a.post(RdmaRead.of(1, a.slice(0, 600), b.remote(0)), to);
                case 3 -> a.post(FetchAdd.of(1, a.slice(0, 8), b.remote(0), 1), to);
                case 4 -> a.post(CompareAndSwap.of(1, a.slice(0, 8), b.remote(0), 1, 2), to);
                default -> {}
            }
            a.post(RdmaRead.of(2, a.slice(1024, 300), b.remote(0)), to);
            rig.run();
        }
        return rig;
    }

    private static Destination target(Side from, Side to) {
        AddressVector vector = AddressVector.to(new Gid(to.port.high(), to.port.low()));
        return new Destination.Dynamic(DatagramPath.of(vector, 1, from.local), to.number, 1, 0);
    }

    private static void ready(Side side, Side peer, QpType type) {
        Gid gid = new Gid(peer.port.high(), peer.port.low());
        switch (type) {
            case RC -> {
                side.machine.modify(TERMS.toInit(), side.turn);
                side.machine.modify(TERMS.toRtr(gid, peer.number), side.turn);
                side.machine.modify(TERMS.toRts(), side.turn);
            }
            case XRC_INI -> {
                side.machine.modify(TERMS.toInit(), side.turn);
                side.machine.modify(TERMS.toRtrAsRequester(gid, peer.number), side.turn);
                side.machine.modify(TERMS.toRts(), side.turn);
            }
            case XRC_TGT -> {
                side.machine.modify(TERMS.toInit(), side.turn);
                side.machine.modify(TERMS.toRtr(gid, peer.number), side.turn);
                side.machine.modify(TERMS.toRtsAsResponder(), side.turn);
            }
            case DC_INI -> {
                side.machine.modify(
                        QpModify.to(QpState.INIT, new QpAttribute.PkeyIndex(0), new QpAttribute.Port(1)), side.turn);
                side.machine.modify(QpModify.to(QpState.RTR, new QpAttribute.Mtu(TERMS.mtu())), side.turn);
                side.machine.modify(TERMS.toRts(), side.turn);
            }
            case DC_TGT -> {
                side.machine.modify(TERMS.toInit(), side.turn);
                side.machine.modify(TERMS.toRtr(gid, peer.number), side.turn);
            }
            case UC -> {
                UcConnection attributes = UcConnection.DEFAULT
                        .withMtu(org.hcaactors.api.address.PathMtu.BYTES_256)
                        .withFirstPsn(FIRST_PSN);
                side.machine.modify(attributes.toInit(), side.turn);
                side.machine.modify(attributes.toRtr(gid, peer.number), side.turn);
                side.machine.modify(attributes.toRts(), side.turn);
            }
            case UD -> {
                side.machine.modify(
                        QpModify.to(
                                QpState.INIT,
                                new QpAttribute.PkeyIndex(0),
                                new QpAttribute.Port(1),
                                new QpAttribute.Qkey(QKey.of(QKEY))),
                        side.turn);
                side.machine.modify(QpModify.to(QpState.RTR), side.turn);
                side.machine.modify(QpModify.to(QpState.RTS, new QpAttribute.SendPsn(7)), side.turn);
            }
        }
    }

    /** Requests go to b, responses to a. */
    private static Packet forged(Opcode opcode, int length, Rig rig, SplittableRandom chance) {
        boolean response = opcode.operation().isResponse();
        Side to = response ? rig.a : rig.b;
        Side from = rig.peer(to);
        int expected = response ? FIRST_PSN : rig.b.machine.snapshot().receivePsn();
        int psn = expected + PSN_STEPS[chance.nextInt(PSN_STEPS.length)] & 0xFF_FFFF;
        int payload = opcode.carriesPayload() ? length : 0;
        boolean solicited = chance.nextBoolean();
        if (opcode.isSelectedBySolicited()) {
            solicited = opcode == Opcode.DC_DISCONNECT;
        }
        Bth bth = Bth.of(opcode, solicited, true, payload, 0xFFFF, to.number, chance.nextBoolean(), psn);
        List<ExtendedHeader> headers = opcode.extended().stream()
                .map(kind -> kind == HeaderKind.DC_ETH ? dcEth(from, chance) : header(kind, opcode, length, to, chance))
                .toList();
        return new Packet(
                new Route(from.port, to.port, 0, 64, 0, 0xC000),
                bth,
                headers,
                Octets.wrap(new byte[payload], 0, payload));
    }

    private static ExtendedHeader dcEth(Side from, SplittableRandom chance) {
        int[] sessions = {0, SESSION, SESSION, chance.nextInt(1 << 24)};
        int flags = chance.nextInt(8) == 0 ? chance.nextInt(256) : chance.nextInt(2);
        return new ExtendedHeader.DcEth(
                flags,
                sessions[chance.nextInt(4)],
                chance.nextInt(8) == 0 ? chance.nextInt(256) : 0,
                chance.nextInt(8) == 0 ? chance.nextInt(1 << 24) : from.number);
    }

    private static ExtendedHeader header(HeaderKind kind, Opcode opcode, int length, Side to, SplittableRandom chance) {
        return switch (kind) {
            case RETH ->
                new ExtendedHeader.Reth(
                        address(to, chance),
                        key(chance),
                        chance.nextBoolean() ? length : RDMA_LENGTHS[chance.nextInt(RDMA_LENGTHS.length)]);
            case ATOMIC_ETH ->
                new ExtendedHeader.AtomicEth(address(to, chance), key(chance), chance.nextLong(), chance.nextLong());
            case AETH -> new ExtendedHeader.Aeth(chance.nextInt(256), chance.nextInt(1 << 24));
            case ATOMIC_ACK_ETH -> new ExtendedHeader.AtomicAckEth(chance.nextLong());
            case DETH -> new ExtendedHeader.Deth(chance.nextInt(4) == 0 ? 0 : QKEY, 0, chance.nextInt(1 << 24));
            case IMMEDIATE -> new ExtendedHeader.Immediate(chance.nextInt());
            case IETH -> new ExtendedHeader.Ieth(key(chance));
            case ATOMIC_SIZE ->
                new ExtendedHeader.AtomicSize(
                        chance.nextInt(10), opcode.transport().number(), 0);
            case XRC_ETH -> new ExtendedHeader.XrcEth(0, queue(chance));
            case DC_ETH -> throw new IllegalArgumentException("it needs its sender");
            case DC_CONNECT_ETH ->
                new ExtendedHeader.DcConnectEth(
                        chance.nextBoolean(),
                        0,
                        FIRST_PSN + PSN_STEPS[chance.nextInt(PSN_STEPS.length)] & 0xFF_FFFF,
                        0,
                        chance.nextInt(4));
            case ATOMIC_ADDRESS -> new ExtendedHeader.AtomicAddress(Side.MEMORY + chance.nextInt(64), key(chance));
        };
    }

    private static int queue(SplittableRandom chance) {
        return switch (chance.nextInt(8)) {
            case 0 -> chance.nextInt(1 << 24);
            case 1 -> FOREIGN_QUEUE;
            default -> QUEUE;
        };
    }

    private static long address(Side to, SplittableRandom chance) {
        long odd = ODD_LONGS[chance.nextInt(ODD_LONGS.length)];
        return switch (chance.nextInt(4)) {
            case 0 -> odd;
            case 1 -> to.remote(0).address() + odd;
            default -> to.remote(0).address() + 8L * chance.nextInt(64);
        };
    }

    private static int key(SplittableRandom chance) {
        return chance.nextInt(4) == 0 ? chance.nextInt() : Side.KEY;
    }
}
