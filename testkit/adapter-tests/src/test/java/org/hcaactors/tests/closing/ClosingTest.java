// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.closing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.RemoteAddress;
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
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Effects and refusals of closing, and reports of objects left open. */
public class ClosingTest {
    private final World world = World.of(17);
    private final Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5);
    private final DeviceContext context = a.process("app").open();
    private final ProtectionDomain domain = context.allocatePd();

    @AfterEach
    void close() {
        world.close();
    }

    private void busy(Supplier<CompletionStage<Void>> verb) {
        refused(Errno.EBUSY, verb);
    }

    private void refused(Errno errno, Supplier<CompletionStage<Void>> verb) {
        assertThatThrownBy(() -> world.await(verb.get()))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void closingAQueuePairFlushesRequestsAndReceivesFirst() {
        CompletionQueue cq = world.await(context.createCq(100));
        QpPair<RcQueuePair> pair =
                world.await(QpPair.connectRc(domain, QpDescription.rc().withSendCq(cq), domain, QpDescription.rc()));
        MemoryRegion region = world.await(domain.register(a.process("app").allocate(64), Access.LOCAL_WRITE));
        world.network().intercept(transit -> new Verdict.Drop("everything"));
        for (int i = 0; i < 3; i++) {
            pair.local().post(RdmaWrite.of(i, region.slice(0, 8), region.remote(0)));
            pair.local().postReceive(Receive.of(10 + i));
        }
        CompletionStage<WorkCompletion> stage =
                pair.local().submit(RdmaWrite.of(3, region.slice(0, 8), region.remote(0)));
        pair.local().close();
        List<WorkCompletion> flushed = world.await(cq.poll(100));
        assertThat(flushed).extracting(WorkCompletion::workId).containsExactlyInAnyOrder(0L, 1L, 2L, 10L, 11L, 12L);
        assertThat(flushed).extracting(WorkCompletion::status).containsOnly(Status.WR_FLUSH_ERR);
        assertThat(world.await(stage).status()).isEqualTo(Status.WR_FLUSH_ERR);
    }

    @Test
    void destroyingAQueuePairDropsItsRequestsAndCompletions() {
        CompletionQueue cq = world.await(context.createCq(100));
        QpPair<RcQueuePair> pair =
                world.await(QpPair.connectRc(domain, QpDescription.rc().withSendCq(cq), domain, QpDescription.rc()));
        pair.local().post(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0)).withSignaled());
        world.settle();
        world.await(pair.local().destroy());
        assertThat(world.await(cq.poll(100))).isEmpty();
    }

    /** An armed timer would keep its actor reachable until it fired, for hours with a long timeout. */
    @Test
    void aQueuePairThatIsDestroyedLeavesNoTimerArmed() {
        QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                domain, domain, RcConnection.DEFAULT.withTimeoutCode(31).withRetryCount(7)));
        world.network().intercept(transit -> new Verdict.Drop("everything"));
        pair.local().post(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0)));
        world.settle();
        world.await(pair.local().destroy());
        assertThat(world.runToQuiet(Duration.ofSeconds(10)))
                .as("the time-out was 8,796 s; Pekko's own timers take a second")
                .isTrue();
    }

    @Test
    void anObjectInUseRefusesToCloseWithEbusyAndStaysUsable() {
        CompletionChannel channel = world.await(context.createChannel());
        CompletionQueue cq = world.await(context.createCq(CqDescription.of(10).withChannel(channel)));
        SharedReceiveQueue srq = world.await(domain.createSrq(SrqDescription.DEFAULT));
        var qp = world.await(domain.createQp(QpDescription.rc().withSendCq(cq).withSrq(srq)));
        busy(channel::closeAsync);
        busy(cq::closeAsync);
        busy(srq::closeAsync);
        busy(domain::closeAsync);
        assertThat(world.await(cq.poll(1))).isEmpty();
        qp.close();
        srq.close();
        cq.close();
        channel.close();
        domain.close();
        assertThat(context.openObjects().isEmpty()).isTrue();
    }

    @Test
    void aProtectionDomainInUseNamesItsUsers() {
        world.await(domain.register(a.process("app").allocate(64), Access.LOCAL_WRITE));
        assertThatThrownBy(() -> world.await(domain.closeAsync())).hasMessageContaining("memory region 0x");
    }

    @Test
    void closingAgainHasNoEffectAndOtherVerbsAreRefused() {
        CompletionQueue cq = world.await(context.createCq(10));
        var qp = world.await(domain.createQp(QpDescription.rc()));
        SharedReceiveQueue srq = world.await(domain.createSrq(SrqDescription.DEFAULT));
        CompletionChannel channel = world.await(context.createChannel());
        qp.close();
        qp.close();
        world.await(qp.destroy());
        refused(Errno.EINVAL, () -> qp.modify(QpModify.to(QpState.RESET)));
        refused(Errno.EINVAL, () -> qp.query().thenAccept(snapshot -> {}));
        cq.close();
        cq.close();
        refused(Errno.EINVAL, () -> cq.resize(10));
        refused(Errno.EINVAL, () -> cq.poll(1).thenAccept(list -> {}));
        assertThatThrownBy(() -> cq.arm(CompletionQueue.Arm.ANY)).isInstanceOf(VerbsException.class);
        List<Throwable> errors = new ArrayList<>();
        cq.completions().subscribe(Subscribers.forEach(wc -> {}, errors::add));
        world.settle();
        assertThat(errors).singleElement().isInstanceOf(VerbsException.class);
        srq.close();
        refused(Errno.EINVAL, () -> srq.armLimit(1));
        channel.close();
        refused(Errno.EINVAL, () -> channel.next().thenAccept(queue -> {}));
        MemoryRegion region = world.await(domain.register(a.process("app").allocate(64), Access.LOCAL_WRITE));
        region.close();
        refused(Errno.EINVAL, region::deregister);
    }

    @Test
    void closingAContextClosesItsObjectsAndCompletesItsEvents() {
        boolean[] complete = {false};
        context.asyncEvents().subscribe(new CompletionFlag<>(() -> complete[0] = true));
        CompletionQueue cq = world.await(context.createCq(10));
        SharedReceiveQueue srq = world.await(domain.createSrq(SrqDescription.DEFAULT));
        QpPair<RcQueuePair> pair = world.await(
                QpPair.connectRc(domain, QpDescription.rc().withSendCq(cq).withSrq(srq), domain, QpDescription.rc()));
        world.await(domain.register(a.process("app").allocate(64), Access.LOCAL_WRITE));
        context.close();
        world.settle();
        assertThat(complete[0]).isTrue();
        assertThat(context.openObjects().isEmpty()).isTrue();
        refused(Errno.EINVAL, () -> pair.local().query().thenAccept(snapshot -> {}));
        refused(Errno.EINVAL, () -> context.createCq(1).thenAccept(queue -> {}));
    }

    private record CompletionFlag<T>(Runnable completed) implements java.util.concurrent.Flow.Subscriber<T> {
        @Override
        public void onSubscribe(java.util.concurrent.Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(T item) {}

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onComplete() {
            completed.run();
        }
    }

    @Test
    void aProcessThatEndsNamesItsOpenObjectsAndClosesThem() {
        CompletionQueue cq = world.await(context.createCq(10));
        var qp = world.await(domain.createQp(QpDescription.rc().withSendCq(cq)));
        world.await(domain.register(a.process("app").allocate(4096), Access.LOCAL_WRITE));
        LeakReport report = world.await(a.process("app").exit());
        assertThat(report.toString())
                .contains("4 objects were left open")
                .contains("a/app: protection domain")
                .contains("a/app: completion queue 1")
                .contains("RC queue pair " + qp.number() + " in RESET")
                .contains("memory region 0x")
                .contains("4096 bytes");
        assertThat(world.network().leaks().isEmpty()).isTrue();
    }

    /** Number of times that Pekko compared the paths of two actors, as in a search for one among others. */
    public static final AtomicLong COMPARISONS = new AtomicLong();

    static final class Counting {
        @Advice.OnMethodEnter
        static void enter() {
            COMPARISONS.getAndIncrement();
        }
    }

    /** Returns the comparisons of closing that many connected pairs that carried traffic. */
    private static long comparisonsOfClosing(int pairs) {
        try (World world = World.of(pairs)) {
            DeviceContext context = world.network()
                    .addAdapter("a", Profile.CONNECTX_5)
                    .process("app")
                    .open();
            ProtectionDomain domain = context.allocatePd();
            CompletionQueue cq = world.await(context.createCq(10_000));
            MemoryRegion region = world.await(
                    domain.register(context.process().allocate(64), Access.LOCAL_WRITE, Access.REMOTE_WRITE));
            for (int i = 0; i < pairs; i++) {
                QpPair<RcQueuePair> pair = world.await(QpPair.connectRc(
                        domain,
                        QpDescription.rc().withSendCq(cq),
                        domain,
                        QpDescription.rc().withSendCq(cq)));
                pair.local()
                        .post(RdmaWrite.of(i, region.slice(0, 8), region.remote(0))
                                .withSignaled());
                world.await(pair.remote().submit(RdmaWrite.of(i, region.slice(0, 8), region.remote(0))));
            }
            long before = COMPARISONS.get();
            context.close();
            return COMPARISONS.get() - before;
        }
    }

    @Tag("judge")
    @Test
    void closingAQueuePairExaminesNoOtherOne() throws Exception {
        ByteBuddyAgent.install();
        Class<?> path = Class.forName("org.apache.pekko.actor.ChildActorPath");
        ClassReloadingStrategy reload = ClassReloadingStrategy.fromInstalledAgent();
        new ByteBuddy()
                .redefine(path)
                .visit(Advice.to(Counting.class).on(ElementMatchers.named("equals")))
                .make()
                .load(path.getClassLoader(), reload);
        try {
            long few = comparisonsOfClosing(50);
            assertThat(comparisonsOfClosing(200))
                    .as("four times as many as %d", few)
                    .isLessThan(5 * few);
        } finally {
            reload.reset(path);
        }
    }

    @Test
    void anImplicitCompletionQueueEndsWithItsQueuePair() {
        var alone = world.await(domain.createQp(QpDescription.rc()));
        var host = world.await(domain.createQp(QpDescription.rc()));
        var guest = world.await(domain.createQp(QpDescription.rc().withSendCq(host.sendCq())));
        world.await(alone.destroy());
        refused(Errno.EINVAL, () -> alone.sendCq().poll(1).thenAccept(polled -> {}));
        world.await(host.destroy());
        world.settle();
        assertThat(world.await(host.sendCq().poll(1))).as("the guest uses it").isEmpty();
        world.await(guest.destroy());
        assertThat(context.openObjects().toString())
                .contains("2 objects were left open")
                .contains(host.sendCq().describe())
                .contains(domain.describe());
    }

    @Test
    void aRefusedQueuePairLeavesNoCompletionQueueOpen() {
        CompletionQueue foreign =
                world.await(world.adapter("b").process("app").open().createCq(10));
        refused(
                Errno.EINVAL,
                () -> domain.createQp(QpDescription.rc().withRecvCq(foreign)).thenAccept(queuePair -> {}));
        world.settle();
        assertThat(context.openObjects().toString())
                .contains("1 object was left open")
                .contains(domain.describe());
    }

    @Test
    void postingToADestroyedQueuePairIsRefusedAsClosed() {
        RcQueuePair qp = world.await(domain.createQp(QpDescription.rc()));
        world.await(qp.destroy());
        String closed = "queue pair " + qp.number() + " is closed";
        assertThatThrownBy(() -> qp.post(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0))))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(closed);
        assertThatThrownBy(() -> qp.postReceive(Receive.of(1)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining(closed);
    }

    @Test
    void anExitDoesNotAffectAnotherProcessOfTheHost() {
        DeviceContext other = a.process("other").open();
        CompletionQueue theirs = world.await(other.createCq(10));
        world.await(a.process("app").exit());
        assertThat(world.await(theirs.poll(1))).isEmpty();
    }

    @Test
    void destroyingWaitsForFetchedAsyncEvents() {
        var qp = world.await(domain.createQp(QpDescription.rc()));
        CompletionQueue tiny = world.await(context.createCq(1));
        QpPair<RcQueuePair> pair =
                world.await(QpPair.connectRc(domain, QpDescription.rc().withSendCq(tiny), domain, QpDescription.rc()));
        List<Boolean> doneInside = new ArrayList<>();
        context.asyncEvents().subscribe(Subscribers.forEach(event -> {
            if (event.kind() == AsyncEvent.Kind.QP_FATAL) {
                CompletionStage<Void> destroyed = pair.local().destroy();
                doneInside.add(destroyed.toCompletableFuture().isDone());
            }
        }));
        for (int i = 0; i < 3; i++) {
            pair.local()
                    .post(RdmaWrite.of(i, List.of(), new RemoteAddress(0, 0)).withSignaled());
        }
        world.settle();
        assertThat(doneInside).containsExactly(false);
        world.await(pair.local().destroy());
        world.await(qp.destroy());
    }
}
