// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcRequest;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.BindWindow;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.LocalInvalidate;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions are opened, closed and lost, and each message is executed once (the page dc of the rule book). */
class DcSessionsTest {
    private static final Duration LONG = Duration.ofSeconds(5);

    private final World world = World.of(41);
    private final DcSetup ground = new DcSetup(world);
    private final Adapter a = world.adapter("a");
    private final Adapter b = world.adapter("b");

    @AfterEach
    void close() {
        world.close();
    }

    private FetchAdd add(DcSetup.InitiatorSide initiator, DcSetup.TargetSide asked, long id) {
        return FetchAdd.of(id, initiator.slice(0, 8), asked.remote(0), 1);
    }

    private DcSetup.InitiatorSide initiator(Adapter node, boolean full) {
        QpDescription<DcInitiator> plain = QpDescription.dc();
        return ground.initiator(node, full ? plain.withFullHandshake() : plain, RcConnection.DEFAULT);
    }

    private long nanosOfOneWrite(boolean full, Adapter from, Adapter to) {
        DcSetup.TargetSide asked = ground.asked(to);
        DcSetup.InitiatorSide initiator = initiator(from, full);
        DcAddress target = initiator.to(asked);
        long before = world.now();
        assertThat(initiator
                        .submit(target, RdmaWrite.of(1, initiator.slice(0, 8), asked.remote(0)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        return world.now() - before;
    }

    // rule dc-handshake
    @Test
    void aHalfHandshakeSavesARoundTrip() {
        LinkProperties slow = LinkProperties.of(20_000, 100_000_000_000L);
        Adapter far = world.network().addAdapter("far", Profile.CONNECTX_5, slow);
        Adapter near = world.network().addAdapter("near", Profile.CONNECTX_5, slow);
        long half = nanosOfOneWrite(false, near, far);
        long full = nanosOfOneWrite(true, near, far);
        assertThat(full - half).isBetween(39_000L, 85_000L);
        assertThat(full).isBetween((long) (1.9 * half), (long) (2.1 * half));
    }

    // rules dc-handshake, dc-connect-lost, dc-reconnect, dc-disconnect
    @ParameterizedTest
    @EnumSource(
            value = Opcode.class,
            names = {"DC_CONNECT", "DC_ACKNOWLEDGE", "DC_SEND_ONLY", "DC_DISCONNECT"})
    void aLostPacketIsRecoveredAndAMessageExecutedOnce(Opcode lost) {
        for (boolean full : new boolean[] {false, true}) {
            DcSetup.TargetSide asked = ground.asked(b);
            DcSetup.InitiatorSide initiator = initiator(a, full);
            DcAddress to = initiator.to(asked);
            for (int id = 1; id <= 4; id++) {
                asked.receive(id, 64);
            }
            world.faults().on(packet().opcode(lost)).first().drop();
            for (int id = 1; id <= 2; id++) {
                assertThat(initiator
                                .submit(to, Send.of(id, initiator.slice(0, 8)))
                                .status())
                        .as("%s, full: %s, %d", lost, full, id)
                        .isEqualTo(Status.SUCCESS);
                world.runFor(Duration.ofMillis(1));
            }
            assertThat(world.await(asked.completions.poll(10)))
                    .extracting(WorkCompletion::workId)
                    .containsExactly(1L, 2L);
        }
    }

    // rules dc-reclaim, dc-reconnect
    @Test
    void aLostAnswerToAnAtomicIsResent() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        world.faults().on(packet().opcode(Opcode.DC_ATOMIC_ACKNOWLEDGE)).first().drop();
        WorkCompletion done = initiator.submit(initiator.to(asked), add(initiator, asked, 1));
        assertThat(asked.memory.readLong(0)).as("executed once").isOne();
        assertThat(done.status()).isEqualTo(Status.SUCCESS);
    }

    // rules dc-lifetime, dc-duplicate-connect
    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, 70_000, 200_000, 600_000})
    void aCopyOfAConnectAndItsMessageIsNotExecutedAgain(long lateNanos) {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        asked.receive(1, 64);
        asked.receive(2, 64);
        Duration late = Duration.ofNanos(lateNanos);
        world.faults().on(packet().opcode(Opcode.DC_CONNECT)).first().duplicate(late);
        world.faults().on(packet().opcode(Opcode.DC_SEND_ONLY)).first().duplicate(late.plusNanos(1));
        assertThat(initiator
                        .submit(initiator.to(asked), Send.of(1, initiator.slice(0, 8)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        world.runFor(Duration.ofMillis(5));
        assertThat(world.await(asked.completions.poll(10))).hasSize(1);
        assertThat(world.await(asked.target.status()).sessions()).isZero();
    }

    // rules dc-handshake, dc-session
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void dataThatOvertakeTheConnectAreNotLost(boolean forced) {
        DcSetup.TargetSide asked = ground.asked(b, forced ? DcTargetDescription::withFullHandshake : t -> t);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        DcAddress to = initiator.to(asked);
        world.faults().on(packet().opcode(Opcode.DC_CONNECT)).reorder(2);
        List<CompletionStage<WorkCompletion>> all = new ArrayList<>();
        for (int id = 1; id <= 10; id++) {
            all.add(initiator.initiator.submit(to, add(initiator, asked, id)));
        }
        for (CompletionStage<WorkCompletion> each : all) {
            assertThat(world.await(each).status()).isEqualTo(Status.SUCCESS);
        }
        assertThat(asked.memory.readLong(0)).isEqualTo(10);
    }

    // rules dc-switch, dc-reuse
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestsToTwoTargetsCompleteInPostingOrder(boolean full) {
        DcSetup.TargetSide first = ground.asked(b);
        DcSetup.TargetSide second = ground.asked(world.adapter("c"));
        DcSetup.InitiatorSide initiator = initiator(a, full);
        DcAddress toFirst = initiator.to(first);
        DcAddress toSecond = initiator.to(second);
        List<CompletionStage<WorkCompletion>> all = new ArrayList<>();
        List<Long> order = new ArrayList<>();
        for (int id = 1; id <= 12; id++) {
            boolean one = id / 2 % 2 == 0;
            CompletionStage<WorkCompletion> next =
                    initiator.initiator.submit(one ? toFirst : toSecond, add(initiator, one ? first : second, id));
            all.add(next.thenApply(done -> {
                order.add(done.workId());
                return done;
            }));
        }
        for (CompletionStage<WorkCompletion> each : all) {
            assertThat(world.await(each).status()).isEqualTo(Status.SUCCESS);
        }
        assertThat(order).isSorted().hasSize(12);
        assertThat(first.memory.readLong(0)).isEqualTo(6);
        assertThat(second.memory.readLong(0)).isEqualTo(6);
    }

    // rule dc-idle
    @Test
    void anIdleSessionEndsAfterSixtyFourMicroseconds() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        initiator.submit(initiator.to(asked), add(initiator, asked, 1));
        world.runFor(Duration.ofNanos(60_000));
        assertThat(world.await(asked.target.status()).sessions()).isOne();
        world.runFor(Duration.ofNanos(10_000));
        assertThat(world.await(asked.target.status()).sessions()).isZero();
        assertThat(b.counters()).containsEntry("rx_dct_connect", 1L);
    }

    // rule dc-reclaim
    @Test
    void aDeadInitiatorsResponderIsReclaimedWhenNeeded() {
        DcSetup.TargetSide asked = ground.asked(b, attributes -> attributes.withMaxResponders(1));
        DcSetup.InitiatorSide dead = ground.initiator(a);
        dead.submit(dead.to(asked), add(dead, asked, 1));
        world.await(dead.initiator.modify(QpModify.to(QpState.ERR)));
        world.runFor(Duration.ofNanos(300_000));
        assertThat(world.await(asked.target.status()).sessions()).isOne();
        assertThat(b.counters().getOrDefault("tx_discard", 0L)).isZero();
        DcSetup.InitiatorSide other = ground.initiator(world.adapter("c"));
        assertThat(other.submit(other.to(asked), add(other, asked, 2)).status()).isEqualTo(Status.SUCCESS);
        assertThat(b.counters()).as("its first CONNECT found none").containsEntry("tx_discard", 1L);
        assertThat(asked.memory.readLong(0)).isEqualTo(2);
    }

    // rule dc-connect
    @Test
    void aWindowIsBoundBeforeAnyConnect() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        MemoryRegion bindable = world.await(initiator.domain.register(
                Registration.of(initiator.memory).withAccess(Access.LOCAL_WRITE, Access.MW_BIND)));
        MemoryWindow window = world.await(initiator.domain.allocateWindow(WindowType.TYPE_2));
        WindowBinding first = WindowBinding.of(bindable).withAccess(Access.REMOTE_WRITE);
        assertThat(initiator
                        .submit(initiator.to(asked), BindWindow.of(1, window, first))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(initiator
                        .submit(initiator.to(asked), add(initiator, asked, 2))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(b.counters()).containsEntry("rx_dct_connect", 1L);
    }

    // rule dc-address
    @Test
    void requestsThatChangeAKeyNeedNoTarget() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        MemoryRegion bindable = world.await(initiator.domain.register(
                Registration.of(initiator.memory).withAccess(Access.LOCAL_WRITE, Access.MW_BIND)));
        MemoryWindow window = world.await(initiator.domain.allocateWindow(WindowType.TYPE_2));
        WindowBinding all = WindowBinding.of(bindable).withAccess(Access.REMOTE_WRITE);
        BindWindow bind = BindWindow.of(1, window, all).withSignaled();
        LocalInvalidate end = LocalInvalidate.of(3, bind.newKey()).withSignaled();
        FetchAdd add = add(initiator, asked, 2).withSignaled();
        initiator.initiator.postWhole(
                List.of(DcRequest.local(0, bind), DcRequest.of(initiator.to(asked), add), DcRequest.local(0, end)));
        world.runToQuiet(Duration.ofMillis(1));
        assertThat(world.await(initiator.completions.poll(8)))
                .extracting(WorkCompletion::status)
                .containsExactly(Status.SUCCESS, Status.SUCCESS, Status.SUCCESS);
        assertThatThrownBy(() -> new DcRequest(Optional.empty(), 0, add)).isInstanceOf(VerbsException.class);
    }

    // rule dc-reclaim
    @Test
    void anInitiatorWaitingAfterAnRnrNakIsNotReclaimed() {
        DcSetup.TargetSide asked = ground.asked(b, attributes -> attributes.withMaxResponders(1));
        DcSetup.InitiatorSide waits = ground.initiator(a);
        var waiting = waits.initiator.submit(waits.to(asked), Send.of(1, waits.region.slice(0, 8)));
        world.runFor(Duration.ofNanos(500_000));
        DcSetup.InitiatorSide other = ground.initiator(world.adapter("c"));
        var behind = other.initiator.submit(other.to(asked), add(other, asked, 2));
        world.runFor(Duration.ofNanos(100_000));
        asked.receive(1, 8);
        assertThat(world.await(waiting).status()).isEqualTo(Status.SUCCESS);
        assertThat(b.counters()).containsEntry("rx_dct_connect", 1L);
        assertThat(world.await(behind).status()).isEqualTo(Status.SUCCESS);
    }

    // rule dc-reclaim
    @Test
    void aDeadPeerOfAnotherTargetReleasesItsResponder() {
        Profile one = Profile.CONNECTX_5.with(
                Profile.CONNECTX_5.dynamicallyConnected().withResponders(1));
        Adapter small = world.network().addAdapter("small", one, World.DEFAULT_LINK);
        DcSetup.TargetSide first = ground.asked(small);
        DcSetup.TargetSide second = ground.asked(small);
        DcSetup.InitiatorSide dead = ground.initiator(a);
        dead.submit(dead.to(first), add(dead, first, 1));
        world.await(dead.initiator.modify(QpModify.to(QpState.ERR)));
        world.runFor(Duration.ofNanos(300_000));
        DcSetup.InitiatorSide other = ground.initiator(world.adapter("c"));
        assertThat(other.submit(other.to(second), add(other, second, 2)).status())
                .isEqualTo(Status.SUCCESS);
    }

    // rule dc-reclaim
    @Test
    void aDeadInitiatorsSessionEndsAfterSixteenSeconds() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        initiator.submit(initiator.to(asked), add(initiator, asked, 1));
        world.await(initiator.initiator.modify(QpModify.to(QpState.ERR)));
        world.runFor(Duration.ofMillis(15_990));
        assertThat(world.await(asked.target.status()).sessions()).isOne();
        world.runFor(Duration.ofMillis(20));
        assertThat(world.await(asked.target.status()).sessions()).isZero();
    }

    // rules dc-error, dc-psn
    @Test
    void aFailedInitiatorIsResetAndContinues() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.TargetSide other = ground.asked(world.adapter("c"));
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        DcAddress to = initiator.to(asked);
        var bad = initiator.initiator.submit(initiator.to(asked, 1), add(initiator, asked, 1));
        var behind = initiator.initiator.submit(initiator.to(other), add(initiator, other, 2));
        assertThat(world.await(bad).status()).isEqualTo(Status.REM_ACCESS_ERR);
        assertThat(world.await(behind).status()).isEqualTo(Status.WR_FLUSH_ERR);
        assertThat(initiator.initiator.state()).isEqualTo(QpState.ERR);
        for (int round = 0; round < 3; round++) {
            world.await(initiator.initiator.modify(QpModify.to(QpState.RESET)));
            world.await(initiator.initiator.open(RcConnection.DEFAULT));
            assertThat(initiator.submit(to, add(initiator, asked, 3)).status()).isEqualTo(Status.SUCCESS);
            assertThat(asked.memory.readLong(0)).isEqualTo(round + 1);
        }
    }

    // rule dc-responder
    @Test
    void anErrorOfOnePeerDoesNotAffectOthers() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide good = ground.initiator(a);
        DcSetup.InitiatorSide bad = ground.initiator(world.adapter("c"));
        DcAddress to = good.to(asked);
        assertThat(good.submit(to, add(good, asked, 1)).status()).isEqualTo(Status.SUCCESS);
        RdmaWrite wrong = RdmaWrite.of(2, bad.slice(0, 8), asked.remote(DcSetup.MEMORY));
        assertThat(bad.submit(bad.to(asked), wrong).status()).isEqualTo(Status.REM_ACCESS_ERR);
        assertThat(good.submit(to, add(good, asked, 3)).status()).isEqualTo(Status.SUCCESS);
        assertThat(asked.target.state()).isEqualTo(QpState.RTR);
        world.runFor(Duration.ofMillis(1));
        assertThat(world.await(asked.target.status()).sessions()).isZero();
    }

    // rules dc-responder, wire-dc-masked, dc-silence
    @Test
    void masksInvalidationAndInlineDataWorkAsOverRc() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        DcAddress to = initiator.to(asked);
        var masked = MaskedFetchAdd.of(1, initiator.slice(0, 8), asked.remote(64), 3);
        assertThat(initiator.submit(to, masked).status()).isEqualTo(Status.SUCCESS);
        assertThat(asked.memory.readLong(64)).isEqualTo(3);
        initiator.memory.write(128, new byte[] {7, 8});
        RdmaWrite inline = RdmaWrite.of(2, initiator.slice(128, 2), asked.remote(256));
        assertThat(initiator.submit(to, inline.withInline()).status()).isEqualTo(Status.SUCCESS);
        assertThat(asked.memory.read(256, 2)).containsExactly(7, 8);
        asked.receive(1, 64);
        var window = world.await(asked.domain.allocateWindow(WindowType.TYPE_1));
        assertThat(initiator
                        .submit(to, Send.of(3, initiator.slice(0, 8)).withInvalidate(window.rkey()))
                        .status())
                .as("a key that can't be invalidated remotely")
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule dc-responder
    @Test
    void bothEndsWaitForAbsentPages() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        MemoryRegion there = world.await(asked.domain.register(Registration.of(asked.memory)
                .withAccess(AccessFlags.LOCAL_AND_REMOTE)
                .withOnDemandPaging()));
        MemoryRegion here = world.await(initiator.domain.register(Registration.of(initiator.memory)
                .withAccess(AccessFlags.LOCAL_AND_REMOTE)
                .withOnDemandPaging()));
        DcAddress to = initiator.to(asked);
        assertThat(initiator
                        .submit(to, RdmaWrite.of(1, here.slice(0, 9000), there.remote(4096)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(initiator
                        .submit(to, RdmaRead.of(2, here.slice(20_000, 9000), there.remote(40_000)))
                        .status())
                .isEqualTo(Status.SUCCESS);
    }

    // rule dc-connect-lost
    @Test
    void everyMessageSucceedsOverALossyWire() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.TargetSide other = ground.asked(world.adapter("c"));
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        world.faults().on(packet()).withProbability(0.2).drop();
        int done = 0;
        for (int id = 1; id <= 30; id++) {
            boolean one = id % 3 != 0;
            WorkCompletion end = world.await(
                    initiator.initiator.submit(
                            initiator.to(one ? asked : other),
                            RdmaWrite.of(id, initiator.slice(0, 64), (one ? asked : other).remote(64L * id))),
                    LONG);
            done += end.status() == Status.SUCCESS ? 1 : 0;
        }
        assertThat(done).isEqualTo(30);
    }
}
