// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorRef;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An actor that throws repeatedly: no caller waits forever for an object in error, and it can be destroyed, even by a verb
 * behind the crash in the mailbox. (One crash during traffic: SupervisionTest, CrashTest.)
 */
class ManyCrashesTest {
    private static final int CRASHES = 6;

    private final World world = World.of(41);
    private final Adapter a = world.adapter("a");
    private final Adapter b = world.adapter("b");
    private final DeviceContext context = b.process("app").open();
    private final ProtectionDomain pdA = a.process("app").open().allocatePd();
    private final ProtectionDomain pdB = context.allocatePd();
    private final CompletionChannel channel = world.await(context.createChannel());
    private final CompletionQueue cq =
            world.await(context.createCq(CqDescription.of(100).withChannel(channel)));
    private final SharedReceiveQueue srq = world.await(pdB.createSrq(SrqDescription.DEFAULT));
    private final QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
            pdA,
            QpDescription.rc(),
            pdB,
            QpDescription.rc().withRecvCq(cq).withSrq(srq),
            RcConnection.DEFAULT.withTimeoutCode(6).withRetryCount(3)));
    private final MemoryRegion from = world.await(pdA.register(a.process("app").allocate(4096), Access.LOCAL_WRITE));
    private final MemoryRegion into =
            world.await(pdB.register(b.process("app").allocate(4096), Access.LOCAL_WRITE, Access.REMOTE_WRITE));

    @AfterEach
    void close() {
        world.close();
    }

    /** Crashes the actor; the last crash is still in the mailbox when this returns. */
    private void crash(String actor) {
        for (int i = 0; i < CRASHES; i++) {
            world.settle();
            world.system()
                    .classicSystem()
                    .actorSelection("/system/hca-network/" + actor)
                    .tell("no command", ActorRef.noSender());
        }
    }

    private void refused(Errno errno, Supplier<? extends CompletionStage<?>> verb) {
        assertThatThrownBy(() -> world.await(verb.get()))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private List<CompletionStage<WorkCompletion>> writeAndSend() {
        return List.of(
                pair.local().submit(RdmaWrite.of(1, from.slice(0, 64), into.remote(0))),
                pair.local().submit(Send.of(2, from.slice(0, 64))));
    }

    private List<Status> statuses(List<CompletionStage<WorkCompletion>> stages) {
        return stages.stream().map(stage -> world.await(stage).status()).toList();
    }

    private RdmaWrite nothing(long id) {
        return RdmaWrite.of(id, List.of(), into.remote(0));
    }

    private List<AsyncEvent.Kind> eventsOf(Runnable act) {
        List<AsyncEvent.Kind> kinds = new ArrayList<>();
        context.asyncEvents().subscribe(Subscribers.forEach(event -> kinds.add(event.kind())));
        act.run();
        world.settle();
        return kinds;
    }

    @Test
    void aCrashedCompletionQueueFailsItsQpsAndIsDestroyed() {
        srq.postReceive(Receive.of(1, into.slice(0, 64)));
        List<AsyncEvent.Kind> events = eventsOf(() -> crash("b/cq-1"));
        assertThat(events).containsOnlyOnce(AsyncEvent.Kind.CQ_ERR);
        assertThat(pair.remote().state()).isEqualTo(QpState.ERR);
        assertThat(statuses(writeAndSend())).doesNotContain(Status.SUCCESS);
        refused(Errno.EIO, () -> cq.poll(1));
        var late = world.await(pdB.createQp(QpDescription.rc().withSendCq(cq)));
        world.await(late.modify(RcConnection.DEFAULT.toInit()));
        refused(Errno.EBUSY, cq::destroy);
        world.await(late.destroy());
        world.await(pair.remote().destroy());
        crash("b/cq-1");
        world.await(cq.destroy());
    }

    @Test
    void aCrashedSrqFailsItsQueuePairsAndIsDestroyed() {
        List<AsyncEvent.Kind> events = eventsOf(() -> crash("b/srq-1"));
        assertThat(events)
                .containsOnlyOnce(AsyncEvent.Kind.SRQ_ERR)
                .containsOnlyOnce(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
        assertThat(statuses(writeAndSend())).doesNotContain(Status.SUCCESS);
        assertThatThrownBy(() -> srq.postReceive(Receive.of(1))).isInstanceOf(VerbsException.class);
        refused(Errno.EIO, srq::query);
        refused(Errno.EBUSY, srq::destroy);
        world.await(pair.remote().destroy());
        crash("b/srq-1");
        world.await(srq.destroy());
    }

    @Test
    void aKeyOfACrashedTranslatorIsUnknownAndIsDeregistered() {
        crash("b/mr-%08x".formatted(into.lkey()));
        assertThat(statuses(writeAndSend())).containsExactly(Status.REM_ACCESS_ERR, Status.WR_FLUSH_ERR);
        crash("b/mr-%08x".formatted(into.lkey()));
        world.await(into.deregister());
        world.await(pdB.register(b.process("app").allocate(64)));
    }

    @Test
    void aCrashedAdapterCreatesNothingAndItsObjectsCanBeClosed() {
        QpPair<RcQueuePair> own = world.await(QpPair.connectRc(pdB, pdB));
        List<AsyncEvent.Kind> events = eventsOf(() -> crash("b"));
        assertThat(events).containsOnlyOnce(AsyncEvent.Kind.DEVICE_FATAL);
        assertThat(world.await(own.local().submit(nothing(1))).status()).isEqualTo(Status.WR_FLUSH_ERR);
        refused(Errno.EIO, () -> context.createCq(1));
        refused(Errno.EIO, () -> pdB.createQp(QpDescription.rc()));
        refused(Errno.EIO, () -> pdB.register(b.process("app").allocate(64)));
        crash("b");
        world.await(into.deregister());
        crash("b");
        world.await(context.closeAsync());
        assertThat(context.openObjects().isEmpty()).isTrue();
    }

    @Test
    void aCrashedQueuePairFlushesRequestsAndIsResetOrDestroyed() {
        world.network().intercept(transit -> new Verdict.Drop("everything"));
        List<CompletionStage<WorkCompletion>> stages = writeAndSend();
        crash("a/qp-" + pair.local().number());
        assertThat(statuses(stages)).containsOnly(Status.WR_FLUSH_ERR);
        assertThat(statuses(writeAndSend())).containsOnly(Status.WR_FLUSH_ERR);
        world.network().intercept(Interceptor.NONE);
        world.await(pair.local().modify(QpModify.to(QpState.RESET)));
        world.await(pair.local().modify(RcConnection.DEFAULT.toInit()));
        crash("a/qp-" + pair.local().number());
        refused(Errno.EINVAL, () -> pair.local().modify(QpModify.to(QpState.RTS)));
        crash("a/qp-" + pair.local().number());
        world.await(pair.local().destroy());
        world.await(from.deregister());
    }

    @Test
    void aCrashedChannelStillWakesAndIsDestroyed() {
        crash("b/channel-1");
        CompletionStage<CompletionQueue> woken = channel.next();
        cq.arm(CompletionQueue.Arm.ANY);
        srq.postReceive(Receive.of(1, into.slice(0, 64)));
        assertThat(statuses(writeAndSend())).containsOnly(Status.SUCCESS);
        assertThat(world.await(woken)).isSameAs(cq);
        world.await(pair.remote().destroy());
        crash("b/channel-1");
        world.await(cq.destroy());
        crash("b/channel-1");
        world.await(channel.destroy());
    }

    @Test
    void aContextWithACrashedEventQueueReportsEventsAndCloses() {
        crash("b/events-1");
        CompletionStage<AsyncEvent> event = context.nextAsyncEvent();
        crash("b/srq-1");
        assertThat(world.await(event).kind()).isEqualTo(AsyncEvent.Kind.SRQ_ERR);
        crash("b/events-1");
        world.await(pair.remote().destroy());
        crash("b/events-1");
        world.await(context.closeAsync());
    }

    @Test
    void aCrashedSubscriptionEndsAndTheNextOneContinues() {
        List<Long> first = new ArrayList<>();
        cq.completions().subscribe(Subscribers.forEach(wc -> first.add(wc.workId())));
        crash("b/cq-1/subscription-1");
        world.settle();
        List<Long> second = new ArrayList<>();
        cq.completions().subscribe(Subscribers.forEach(wc -> second.add(wc.workId())));
        srq.postReceive(Receive.of(7, into.slice(0, 64)));
        assertThat(statuses(writeAndSend())).containsOnly(Status.SUCCESS);
        world.settle();
        assertThat(second).containsExactly(7L);
    }

    @Test
    void aCrashedFabricStillForwards() {
        crash("fabric");
        srq.postReceive(Receive.of(1, into.slice(0, 64)));
        assertThat(statuses(writeAndSend())).containsOnly(Status.SUCCESS);
    }
}
