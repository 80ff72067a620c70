// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.dc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.DcTargetStatus;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refusals over DC, and where they are reported (the page dc of the rule book). */
class DcRefusalsTest {
    /** Two tries within a millisecond each. */
    private static final RcConnection SHORT =
            RcConnection.DEFAULT.withTimeoutCode(6).withRetryCount(1);

    private final World world = World.of(43);
    private final DcSetup ground = new DcSetup(world);
    private final Adapter a = world.adapter("a");
    private final Adapter b = world.adapter("b");

    @AfterEach
    void close() {
        world.close();
    }

    private void refused(Errno errno, CompletionStage<?> verb, String says) {
        assertThatThrownBy(() -> world.await(verb))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(says);
    }

    private List<AsyncEvent.Kind> eventsOf(DcSetup.Member member) {
        List<AsyncEvent.Kind> kinds = new ArrayList<>();
        member.context.asyncEvents().subscribe(Subscribers.forEach(event -> kinds.add(event.kind())));
        world.settle();
        return kinds;
    }

    private static FetchAdd add(DcSetup.InitiatorSide initiator, DcSetup.TargetSide asked, long id) {
        return FetchAdd.of(id, initiator.slice(0, 8), asked.remote(0), 1);
    }

    // rule dc-supported
    @Test
    void anAdapterWithoutDcRefusesIt() {
        ProtectionDomain plain = world.network()
                .addAdapter("c", Profile.SOFT_ROCE)
                .process("app")
                .open()
                .allocatePd();
        refused(Errno.EOPNOTSUPP, plain.createQp(QpDescription.dc()), "has no DC");
        refused(
                Errno.EINVAL,
                plain.createQp(QpDescription.rc().withFullHandshake()),
                "a queue pair of type RC has no handshakes and streams");
        var context = world.adapter("c").process("app").open();
        var domain = context.allocatePd();
        var cq = world.await(context.createCq(4));
        var srq = world.await(domain.createSrq(SrqDescription.DEFAULT));
        refused(
                Errno.EOPNOTSUPP,
                domain.createDcTarget(DcTargetDescription.of(cq, srq, DcAccessKey.of(1))),
                "has no DC");
    }

    // rules dc-target-number, dc-target-attributes
    @Test
    void aTargetIsCreatedByTheAdapterInRtr() {
        DcSetup.TargetSide asked = ground.new TargetSide(b, attributes -> attributes);
        DcTarget target = asked.target;
        assertThatThrownBy(target::number).isInstanceOf(VerbsException.class).hasMessageContaining("RTR");
        refused(Errno.EINVAL, target.status(), "RTR");
        refused(Errno.EINVAL, target.query(), "RTR");
        refused(Errno.EINVAL, target.armKeyViolation(), "RTR");
        refused(Errno.EINVAL, target.modify(QpModify.to(QpState.RTR)), "RESET");
        world.await(target.open(RcConnection.DEFAULT));
        assertThat(target.number()).isPositive();
        assertThat(world.await(target.query()).state()).isEqualTo(QpState.RTR);
        for (QpState state : QpState.values()) {
            refused(Errno.EINVAL, target.modify(QpModify.to(state)), "DC_TGT");
        }
        assertThat(world.await(target.status())).isEqualTo(DcTargetStatus.of(DcTargetStatus.State.ACTIVE));
    }

    // rule dc-initiator-attributes
    @Test
    void anInitiatorHasNoPeerNoAccessFlagsAndNoDrain() {
        DcSetup.InitiatorSide initiator = ground.new InitiatorSide(a, QpDescription.dc());
        refused(Errno.EINVAL, initiator.initiator.modify(RcConnection.DEFAULT.toInit()), "ACCESS_FLAGS");
        world.await(initiator.initiator.modify(
                QpModify.to(QpState.INIT, new QpAttribute.PkeyIndex(0), new QpAttribute.Port(1))));
        refused(
                Errno.EINVAL,
                initiator.initiator.modify(QpModify.to(
                        QpState.RTR, new QpAttribute.Mtu(PathMtu.BYTES_1024), new QpAttribute.DestinationQp(3))),
                "DEST_QPN");
        world.await(initiator.initiator.modify(QpModify.to(QpState.RESET)));
        world.await(initiator.initiator.open(RcConnection.DEFAULT));
        refused(Errno.EINVAL, initiator.initiator.modify(QpModify.to(QpState.SQD)), "SQD");
        assertThatThrownBy(() -> initiator.initiator.postReceive(Receive.of(1, initiator.slice(0, 8))))
                .isInstanceOf(VerbsException.class);
    }

    // rule dc-target-queues
    @Test
    void aTargetNeedsQueuesOfItsOwnContext() {
        DcSetup.TargetSide one = ground.asked(b);
        DcSetup.InitiatorSide other = ground.initiator(b);
        refused(
                Errno.EINVAL,
                one.domain.createDcTarget(DcTargetDescription.of(other.completions, one.queue, DcAccessKey.of(1))),
                "another");
        refused(Errno.EBUSY, one.completions.destroy(), "");
        refused(Errno.EBUSY, one.queue.destroy(), "");
    }

    // rule dc-cnak
    @Test
    void aTargetThatReservesAllItsRespondersIsRefused() {
        DcSetup.TargetSide one = ground.asked(b);
        DcTargetDescription plain = DcTargetDescription.of(one.completions, one.queue, DcAccessKey.of(1));
        refused(
                Errno.EINVAL,
                one.domain.createDcTarget(plain.withMaxResponders(2).withReservedResponders(2)),
                "the number of reserved responders is 2, and the target has at most 2; 0 to 1 is allowed");
        int all = b.profile().dynamicallyConnected().responders();
        refused(Errno.EINVAL, one.domain.createDcTarget(plain.withReservedResponders(all)), "0 to " + (all - 1));
        refused(
                Errno.EINVAL,
                one.domain.createDcTarget(plain.withMaxResponders(all + 1).withReservedResponders(all)),
                "and the target has at most " + all);
        world.await(one.domain.createDcTarget(plain.withMaxResponders(2).withReservedResponders(1)));
    }

    // rules dc-address, dc-streams
    @Test
    void anUnusableAddressOrStreamIsRefusedWhenPosted() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        DcAddress to = initiator.to(asked);
        AddressHandle gone = world.await(initiator.domain.createAddressHandle(AddressVector.to(asked.target.gid())));
        DcAddress over = DcAddress.of(gone, asked.target.number(), DcAccessKey.of(DcSetup.KEY));
        gone.destroy();
        Send send = Send.of(1, initiator.slice(0, 8));
        assertThatThrownBy(() -> initiator.initiator.post(over, send)).hasMessageContaining("destroyed");
        AddressHandle foreign = world.await(asked.domain.createAddressHandle(AddressVector.to(asked.target.gid())));
        assertThatThrownBy(() -> initiator.initiator.post(DcAddress.of(foreign, 1, DcAccessKey.of(1)), send))
                .hasMessageContaining("another adapter");
        assertThatThrownBy(() -> initiator.initiator.post(to, 1, send))
                .hasMessageContaining("stream number is 1; 0 to 0");
        refused(Errno.EINVAL, initiator.initiator.resetStream(0), "stream");
    }

    // rule dc-version
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void differentDcGenerationsDoNotConnect(boolean oldAsks) {
        Adapter old = world.network().addAdapter("old", Profile.CONNECTX_4);
        DcSetup.TargetSide asked = ground.asked(oldAsks ? b : old);
        DcSetup.InitiatorSide initiator = ground.initiator(oldAsks ? old : a, QpDescription.dc(), SHORT);
        assertThat(initiator
                        .submit(initiator.to(asked), add(initiator, asked, 1))
                        .status())
                .isEqualTo(Status.RETRY_EXC_ERR);
        assertThat(world.await(asked.target.status()).sessions()).isZero();
    }

    // rule dc-generations
    @Test
    void twoAdaptersOfTheOldGenerationConnect() {
        DcSetup.TargetSide asked = ground.asked(world.network().addAdapter("old", Profile.CONNECTX_4));
        DcSetup.InitiatorSide initiator = ground.initiator(world.network().addAdapter("older", Profile.CONNECT_IB));
        RdmaWrite write = RdmaWrite.of(1, initiator.slice(0, 8), asked.remote(0));
        assertThat(initiator.submit(initiator.to(asked), write).status()).isEqualTo(Status.SUCCESS);
    }

    // rules dc-key, dc-target-events
    @Test
    void aWrongKeyIsCountedAndReportedOncePerArm() {
        DcSetup.TargetSide asked = ground.asked(b);
        List<AsyncEvent.Kind> events = eventsOf(asked);
        for (int round = 1; round <= 4; round++) {
            if (round == 2) {
                world.await(asked.target.armKeyViolation());
                world.await(asked.target.armKeyViolation());
            }
            DcSetup.InitiatorSide initiator = ground.initiator(a);
            assertThat(initiator
                            .submit(initiator.to(asked, DcSetup.KEY + round), add(initiator, asked, 1))
                            .status())
                    .isEqualTo(Status.REM_ACCESS_ERR);
            world.settle();
            assertThat(world.await(asked.target.status()).keyViolations()).isEqualTo(round);
            assertThat(events).hasSize(round == 1 ? 0 : 1);
        }
        assertThat(events).containsExactly(AsyncEvent.Kind.DCT_KEY_VIOLATION);
        assertThat(asked.memory.readLong(0)).isZero();
    }

    // rule dc-target-events
    @Test
    void anErrorOfAPeerRaisesAnEventOfItsTarget() {
        DcSetup.TargetSide asked = ground.new TargetSide(b, attributes -> attributes);
        world.await(asked.target.open(RcConnection.DEFAULT.withRemoteAccess(AccessFlags.of(Access.REMOTE_WRITE))));
        List<AsyncEvent.Kind> events = eventsOf(asked);
        DcSetup.InitiatorSide first = ground.initiator(a);
        RdmaWrite beyond = RdmaWrite.of(1, first.slice(0, 8), asked.remote(DcSetup.MEMORY));
        assertThat(first.submit(first.to(asked), beyond).status()).isEqualTo(Status.REM_ACCESS_ERR);
        world.settle();
        assertThat(events).containsExactly(AsyncEvent.Kind.DCT_ACCESS_ERR);
        DcSetup.InitiatorSide second = ground.initiator(a);
        assertThat(second.submit(second.to(asked), add(second, asked, 1)).status())
                .as("a right that it grants to no peer")
                .isNotEqualTo(Status.SUCCESS);
        assertThat(asked.target.state()).isEqualTo(QpState.RTR);
    }

    // rule dc-target-queues
    @Test
    void aMessageWaitsForAReceiveAndItsCompletionNamesItsTarget() {
        DcSetup.TargetSide asked = ground.asked(b);
        DcSetup.InitiatorSide initiator = ground.initiator(a);
        var sent = initiator.initiator.submit(initiator.to(asked), Send.of(1, initiator.slice(0, 8)));
        world.runFor(Duration.ofMillis(2));
        asked.receive(4, 64);
        assertThat(world.await(sent).status()).isEqualTo(Status.SUCCESS);
        var told = asked.polled();
        assertThat(told.workId()).isEqualTo(4);
        assertThat(told.qpNumber()).isEqualTo(asked.target.number());
    }

    // rule dc-target-path
    @Test
    void anAnswerUsesTheTargetsOwnPath() {
        DcSetup.TargetSide asked = ground.new TargetSide(b, attributes -> attributes);
        world.await(asked.target.modify(RcConnection.DEFAULT.toInit()));
        refused(
                Errno.EINVAL,
                asked.target.modify(QpModify.to(
                        QpState.RTR,
                        new QpAttribute.Av(AddressVector.to(b.port(1).gid(0))),
                        new QpAttribute.MinRnrTimer(1))),
                "PATH_MTU");
        world.await(asked.target.modify(QpModify.to(
                QpState.RTR,
                new QpAttribute.Av(AddressVector.to(b.port(1).gid(0))),
                new QpAttribute.MinRnrTimer(1),
                new QpAttribute.Mtu(PathMtu.BYTES_256))));
        DcSetup.InitiatorSide initiator =
                ground.initiator(a, QpDescription.dc(), RcConnection.DEFAULT.withMtu(PathMtu.BYTES_256));
        assertThat(initiator
                        .submit(initiator.to(asked), RdmaWrite.of(1, initiator.slice(0, 900), asked.remote(0)))
                        .status())
                .isEqualTo(Status.SUCCESS);
    }
}
