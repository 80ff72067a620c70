// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.xrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.PostRefusedException;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcDomainDescription.Creation;
import org.hcaactors.api.queue.XrcRequest;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes of a node share the targets that their peers connect to (the page xrc of the rule book). */
class XrcSharingTest {
    private final World world = World.of(17);
    private final XrcSetup ground = new XrcSetup(world);
    private final XrcSetup.Member ann = ground.member("ann");
    private final XrcSetup.Member ben = ground.member("ben");

    @AfterEach
    void close() {
        world.close();
    }

    private <T> T await(CompletionStage<T> stage) {
        return world.await(stage);
    }

    private void refused(Errno errno, CompletionStage<?> verb, String says) {
        assertThatThrownBy(() -> world.await(verb))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining(says);
    }

    // rules xrc-named, xrc-completion, xrc-domain
    @Test
    void oneConnectionReachesEveryProcessOfANode() {
        XrcTarget target = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(target);
        ann.receive(1, 100);
        ben.receive(2, 100);
        initiator.memory.write(0, new byte[] {5, 6, 7});
        assertThat(initiator
                        .submit(ben.queue, Send.of(10, initiator.slice(0, 3)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(initiator
                        .submit(ann.queue, Send.of(11, initiator.slice(0, 3)).withImmediate(9))
                        .status())
                .isEqualTo(Status.SUCCESS);
        WorkCompletion toBen = ben.polled();
        assertThat(toBen.workId()).isEqualTo(2);
        assertThat(toBen.qpNumber()).isEqualTo(target.number());
        assertThat(ben.memory.read(2048, 3)).containsExactly(5, 6, 7);
        assertThat(ann.polled().immediate()).hasValue(9);
        initiator.submit(ben.queue, RdmaWrite.of(12, initiator.slice(0, 3), ben.remote(9000)));
        initiator.submit(ann.queue, FetchAdd.of(13, initiator.slice(64, 8), ann.remote(512), 3));
        initiator.submit(ben.queue, RdmaRead.of(14, initiator.slice(128, 3), ben.remote(9000)));
        assertThat(initiator.memory.read(128, 3)).containsExactly(5, 6, 7);
    }

    // rule post-list
    @Test
    void eachRequestOfAListNamesItsQueue() {
        XrcTarget target = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(target);
        ann.receive(1, 100);
        ben.queue.postReceive(List.of(Receive.of(2, ben.slice(0, 100)), Receive.of(3, ben.slice(100, 100))));
        Send message = Send.of(10, initiator.slice(0, 3));
        initiator.pair.post(List.of(
                new XrcRequest(ben.queue.number(), message),
                new XrcRequest(ann.queue.number(), message),
                new XrcRequest(ben.queue.number(), message)));
        assertThatThrownBy(() -> initiator.pair.post(List.of(new XrcRequest(1 << 24, message))))
                .isInstanceOfSatisfying(
                        PostRefusedException.class,
                        refused -> assertThat(refused.index()).isZero());
        world.runToQuiet(Duration.ofMillis(1));
        assertThat(ann.polled().workId()).isEqualTo(1);
        assertThat(List.of(ben.polled().workId(), ben.polled().workId())).containsExactly(2L, 3L);
    }

    // rules xrc-open, xrc-shared
    @Test
    void aDomainsOpenersShareATargetUntilItsLastHandleCloses() {
        XrcTarget made = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(made);
        XrcTarget opened = await(ben.shared.openTarget(made.number()));
        assertThat(opened.state()).isEqualTo(QpState.RTS);
        await(made.destroy());
        refused(Errno.EINVAL, made.modify(QpModify.to(QpState.ERR)), "closed");
        ben.receive(1, 100);
        assertThat(initiator
                        .submit(ben.queue, Send.of(1, initiator.slice(0, 8)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        await(opened.modify(QpModify.to(QpState.ERR)));
        await(opened.destroy());
        refused(Errno.EINVAL, ben.shared.openTarget(made.number()), "no target " + made.number());
        assertThat(ann.context.openObjects().leaks())
                .noneMatch(leak -> leak.description().contains("XRC_TGT"));
    }

    // rule xrc-shared
    @Test
    void aTargetOutlivesTheProcessThatCreatedIt() {
        XrcTarget made = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(made);
        await(ben.shared.openTarget(made.number()));
        await(ground.far.process("ann").exit());
        ben.receive(1, 100);
        assertThat(initiator
                        .submit(ben.queue, Send.of(1, initiator.slice(0, 8)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(initiator
                        .submit(ann.queue, Send.of(2, initiator.slice(0, 8)))
                        .status())
                .as("her queue went with her")
                .isEqualTo(Status.REM_INV_REQ_ERR);
    }

    // rule xrc-broadcast
    @Test
    void everyHandleGetsAnEvent() {
        XrcTarget made = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(made);
        await(ben.shared.openTarget(made.number()));
        List<AsyncEvent> toAnn = new ArrayList<>();
        List<AsyncEvent> toBen = new ArrayList<>();
        ann.context.asyncEvents().subscribe(Subscribers.forEach(toAnn::add));
        ben.context.asyncEvents().subscribe(Subscribers.forEach(toBen::add));
        assertThat(await(initiator.pair.submit(99, Send.of(1, initiator.slice(0, 8))))
                        .status())
                .isEqualTo(Status.REM_INV_REQ_ERR);
        assertThat(toAnn)
                .extracting(AsyncEvent::kind)
                .contains(AsyncEvent.Kind.QP_ACCESS_ERR, AsyncEvent.Kind.QP_LAST_WQE_REACHED);
        assertThat(toBen).isEqualTo(toAnn);
    }

    // rule xrc-unknown
    @Test
    void aQueueOfAnotherDomainIsUnknown() {
        XrcSetup.Member eve = ground.new Member(ground.far, "eve", XrcDomainDescription.unnamed());
        XrcTarget target = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(target);
        eve.receive(1, 100);
        assertThat(initiator
                        .submit(eve.queue, Send.of(1, initiator.slice(0, 8)))
                        .status())
                .isEqualTo(Status.REM_INV_REQ_ERR);
    }

    // rule xrc-domain
    @Test
    void keysOfAProcessAreInvalidUnderTheQueueOfAnother() {
        XrcTarget target = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(target);
        assertThat(initiator
                        .submit(ann.queue, RdmaWrite.of(1, initiator.slice(0, 8), ben.remote(0)))
                        .status())
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    // rule xrc-rnr
    @Test
    void aMessageForAnEmptyQueueDelaysTheOthers() {
        XrcTarget target = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(target);
        ben.receive(2, 100);
        var first = initiator.pair.submit(ann.queue.number(), Send.of(1, initiator.slice(0, 8)));
        var second = initiator.pair.submit(ben.queue.number(), Send.of(2, initiator.slice(0, 8)));
        world.runFor(Duration.ofMillis(3));
        assertThat(second.toCompletableFuture()).isNotDone();
        ann.receive(1, 100);
        assertThat(await(first).status()).isEqualTo(Status.SUCCESS);
        assertThat(await(second).status()).isEqualTo(Status.SUCCESS);
    }

    // rule xrc-queue-gone
    @Test
    void anSrqInUseIsDestroyedAndLaterRequestsForItAreRefused() {
        XrcTarget target = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(target);
        ann.receive(1, 100);
        initiator.submit(ann.queue, Send.of(1, initiator.slice(0, 8)));
        await(ann.queue.destroy());
        assertThat(initiator
                        .submit(ann.queue, Send.of(2, initiator.slice(0, 8)))
                        .status())
                .isEqualTo(Status.REM_INV_REQ_ERR);
        await(ann.completions.destroy());
    }

    // rule xrc-queue-fails
    @Test
    void aQueueWithAFailedCqIsARemoteOperationError() {
        XrcTarget target = await(ann.shared.createTarget());
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app").to(target);
        ann.receive(1, 100);
        initiator.submit(ann.queue, Send.of(1, initiator.slice(0, 8)));
        world.faults().now().crash(ground.far, ann.completions);
        ben.receive(1, 100);
        assertThat(initiator
                        .submit(ben.queue, Send.of(2, initiator.slice(0, 8)))
                        .status())
                .isEqualTo(Status.SUCCESS);
        assertThat(initiator
                        .submit(ann.queue, Send.of(3, initiator.slice(0, 8)))
                        .status())
                .isEqualTo(Status.REM_OP_ERR);
    }

    // rule xrc-domain-identity
    @Test
    void aDomainBelongsToItsFileAndAnUnnamedOneToItsContext() {
        assertThat(ben.shared.number()).isEqualTo(ann.shared.number());
        assertThat(ben.shared.file()).contains(XrcSetup.FILE);
        XrcDomain own = await(ann.context.openXrcDomain(XrcDomainDescription.unnamed()));
        assertThat(own.number()).isNotEqualTo(ann.shared.number());
        assertThat(own.file()).isEmpty();
        XrcDomainDescription known = XrcDomainDescription.of(XrcSetup.FILE);
        refused(Errno.EINVAL, ann.context.openXrcDomain(known.withCreation(Creation.ALWAYS)), "exists already");
        XrcDomainDescription unknown = XrcDomainDescription.of("/run/none").withCreation(Creation.NEVER);
        refused(Errno.EAGAIN, ann.context.openXrcDomain(unknown), "does not exist");
        assertThat(await(ben.context.openXrcDomain(known.withCreation(Creation.NEVER)))
                        .number())
                .isEqualTo(ann.shared.number());
    }

    // rule xrc-domain-busy
    @Test
    void theLastHandleOfADomainWithObjectsRefusesToClose() {
        XrcDomain own = await(ann.context.openXrcDomain(XrcDomainDescription.unnamed()));
        XrcTarget target = await(own.createTarget());
        refused(Errno.EBUSY, own.closeAsync(), "1 target and 0 shared receive queues");
        await(target.destroy());
        await(own.closeAsync());
        await(own.closeAsync());
        refused(Errno.EINVAL, own.createTarget(), "closed");
        await(ann.shared.closeAsync());
        refused(Errno.EINVAL, ann.shared.openTarget(1), "closed");
        refused(Errno.EBUSY, ben.shared.closeAsync(), "2 shared receive queues");
    }

    // rule xrc-srq
    @Test
    void anXrcSrqHoldsADomainAndACqOfItsContext() {
        CompletionQueue foreign = ben.completions;
        refused(
                Errno.EINVAL,
                ann.domain.createSrq(SrqDescription.DEFAULT.withXrc(ann.shared, foreign)),
                "completion queue is closed or belongs to another");
        refused(
                Errno.EINVAL,
                ann.domain.createSrq(SrqDescription.DEFAULT.withXrc(ben.shared, ann.completions)),
                "XRC domain is closed or belongs to another");
        refused(Errno.EBUSY, ann.completions.destroy(), "");
    }

    // rule xrc-one-way
    @Test
    void anInitiatorHasNoReceives() {
        XrcSetup.InitiatorSide initiator = ground.new InitiatorSide("app");
        assertThatThrownBy(() -> initiator.pair.postReceive(Receive.of(1, initiator.slice(0, 8))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("has no receives");
        assertThatThrownBy(() -> initiator.pair.post(1 << 24, Send.of(1, initiator.slice(0, 8))))
                .isInstanceOf(VerbsException.class);
    }

    // rule xrc-supported
    @Test
    void anAdapterWithoutXrcRefusesIt() {
        var context = world.network()
                .addAdapter("c", Profile.SOFT_ROCE)
                .process("app")
                .open();
        refused(Errno.EOPNOTSUPP, context.openXrcDomain(XrcDomainDescription.unnamed()), "has no XRC");
        refused(Errno.EOPNOTSUPP, context.allocatePd().createQp(QpDescription.xrc()), "has no XRC");
    }

    // rule xrc-attributes
    @Test
    void aRefusedAttributeLeavesATargetInReset() {
        XrcTarget target = await(ann.shared.createTarget());
        RcConnection attributes = RcConnection.DEFAULT.withRdAtomic(255);
        refused(Errno.EINVAL, target.connect(target.gid(), 1, attributes), "MAX_DEST_RD_ATOMIC");
        assertThat(target.state()).isEqualTo(QpState.RESET);
    }
}
