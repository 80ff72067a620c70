// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.completion.CompletionQueueActor;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.event.CompletionChannelHandle;
import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.key.LeaseHolder;
import org.hcaactors.actors.key.TranslatorActor;
import org.hcaactors.actors.service.Blueprint;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.key.LeaseRequest;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionKind;
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
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpDescription;
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
import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.link.Verdict;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.lab.world.World;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills each kind of actor during traffic, at another moment for each number of settled requests and another order of turns for
 * each: every request still ends exactly once, and no other part is affected. (Queue pairs: CrashTest.)
 */
@Tag("judge")
class SupervisionTest {
    private static final int REQUESTS = 12;

    /** Thrown by the objects that the test injects. */
    private static final class InjectedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InjectedException() {
            super("sabotage", null, false, false);
        }
    }

    /** Two adapters with traffic between them, and two others without. */
    private static final class Setup implements AutoCloseable {
        final World world;
        final Adapter a;
        final DeviceContext context;
        final ProtectionDomain pdA;
        final ProtectionDomain pdB;
        final CompletionChannel channel;
        final CompletionQueue cq;
        final SharedReceiveQueue srq;
        final QpPair<RcQueuePair> pair;
        final MemoryRegion from;
        final MemoryRegion into;
        final QpPair<RcQueuePair> bystander;
        final List<AsyncEvent> events = new ArrayList<>();
        final List<AsyncEvent> othersEvents = new ArrayList<>();
        final List<WorkCompletion> received = new ArrayList<>();
        final List<Throwable> ends = new ArrayList<>();
        final List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();

        Setup(int seed) {
            world = World.of(seed);
            LinkProperties link = LinkProperties.of(1000, 10_000_000_000L);
            a = world.network().addAdapter("a", Profile.CONNECTX_5, link);
            Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5, link);
            context = b.process("app").open();
            context.asyncEvents().subscribe(Subscribers.forEach(events::add));
            pdA = a.process("app").open().allocatePd();
            pdB = context.allocatePd();
            channel = world.await(context.createChannel());
            cq = world.await(context.createCq(CqDescription.of(100).withChannel(channel)));
            srq = world.await(pdB.createSrq(SrqDescription.DEFAULT));
            RcConnection attributes = RcConnection.DEFAULT.withTimeoutCode(6).withRetryCount(3);
            pair = world.await(QpPair.connectRc(
                    pdA,
                    QpDescription.rc(),
                    pdB,
                    QpDescription.rc().withRecvCq(cq).withSrq(srq),
                    attributes));
            from = world.await(pdA.register(a.process("app").allocate(1 << 16), Access.LOCAL_WRITE));
            into = world.await(
                    pdB.register(b.process("app").allocate(1 << 16), Access.LOCAL_WRITE, Access.REMOTE_WRITE));
            cq.completions().subscribe(Subscribers.forEach(received::add, ends::add));
            Adapter c = world.network().addAdapter("c", Profile.CONNECTX_5, link);
            Adapter d = world.network().addAdapter("d", Profile.CONNECTX_5, link);
            DeviceContext other = d.process("app").open();
            other.asyncEvents().subscribe(Subscribers.forEach(othersEvents::add));
            bystander =
                    world.await(QpPair.connectRc(c.process("app").open().allocatePd(), other.allocatePd(), attributes));
            for (int i = 0; i < REQUESTS; i++) {
                srq.postReceive(Receive.of(i, into.slice(i * 2048L, 2048)));
            }
        }

        /** Posts everything, lets {@code settled} requests end, and crashes the actor. */
        void strike(int settled, Runnable blow) {
            for (int i = 0; i < REQUESTS; i++) {
                stages.add(pair.local()
                        .submit(
                                i % 3 == 2
                                        ? RdmaWrite.of(i, from.slice(0, 3000), into.remote(0))
                                        : Send.of(i, from.slice(0, 1500))));
            }
            if (settled > 0) {
                world.await(stages.get(settled - 1));
            }
            blow.run();
            world.runToQuiet(Duration.ofSeconds(5));
        }

        void everyRequestEndedOnce() {
            assertThat(stages)
                    .allSatisfy(stage -> assertThat(stage.toCompletableFuture()).isDone());
        }

        List<Status> statuses() {
            return stages.stream()
                    .map(stage -> stage.toCompletableFuture().resultNow().status())
                    .toList();
        }

        void nobodyElseNotices() {
            assertThat(othersEvents).isEmpty();
            WorkCompletion theirs = world.await(bystander
                    .local()
                    .submit(RdmaWrite.of(1, List.of(), new org.hcaactors.api.memory.RemoteAddress(0, 0))));
            assertThat(theirs.isSuccess()).isTrue();
        }

        List<AsyncEvent.Kind> kinds() {
            return events.stream().map(AsyncEvent::kind).toList();
        }

        void tell(String path, Object message) {
            ActorRef<?> fabricOrAdapter = ((CompletionQueueHandle) cq).actor();
            String root = fabricOrAdapter.path().parent().parent().toStringWithoutAddress();
            world.system().classicSystem().actorSelection(root + "/" + path).tell(message, null);
        }

        @Override
        public void close() {
            world.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 11, 12})
    void aCrashedCqRaisesCqErrAndMovesItsQueuePairsToErr(int settled) {
        try (Setup setup = new Setup(settled)) {
            Completions poison = new Completions(
                    new WorkCompletion[] {
                        WorkCompletion.of(1, Status.SUCCESS, CompletionKind.RECV, 1, 0, OptionalInt.empty())
                    },
                    new WorkQueueFeed(slots -> {
                        throw new InjectedException();
                    }),
                    new int[0],
                    oneStage(),
                    new boolean[0]);
            setup.strike(settled, () -> {
                ((CompletionQueueHandle) setup.cq).actor().tell(new CompletionQueueActor.Completed(poison));
                ((CompletionQueueHandle) setup.cq).actor().tell(new CompletionQueueActor.Completed(poison));
            });
            setup.everyRequestEndedOnce();
            assertThat(setup.kinds()).contains(AsyncEvent.Kind.CQ_ERR, AsyncEvent.Kind.QP_FATAL);
            assertThat(setup.pair.remote().state()).isEqualTo(QpState.ERR);
            assertThat(setup.ends).singleElement().isInstanceOf(VerbsException.class);
            isEioBecauseOf(InjectedException.class, setup.cq.poll(1), setup);
            isEioBecauseOf(InjectedException.class, setup.cq.poll(1), setup);
            assertThat(setup.ends).first().extracting(Throwable::getCause).isInstanceOf(InjectedException.class);
            setup.nobodyElseNotices();
            setup.world.await(setup.pair.remote().destroy());
            setup.world.await(setup.cq.destroy());
        }
    }

    private static void isEioBecauseOf(Class<? extends Throwable> crash, CompletionStage<?> verb, Setup setup) {
        assertThatThrownBy(() -> setup.world.await(verb))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO))
                .hasCauseInstanceOf(crash);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Reply<WorkCompletion>[] oneStage() {
        return new Reply[] {new Reply<WorkCompletion>(Runnable::run)};
    }

    /** Receiver of a queue pair's notifications, which throws. */
    private static final class ThrowingUser implements SrqUser, LeaseHolder {
        @Override
        public void sharedReceivesFailed(int queue) {}

        @Override
        public void srqDestroying(int queue) {}

        @Override
        public void granted(Lease lease) {
            throw new InjectedException();
        }

        /** Also called when the user is attached to a queue. */
        @Override
        public int hashCode() {
            throw new InjectedException();
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public void refused(int key, Denial reason) {}

        @Override
        public void revoke(long grant) {}

        @Override
        public ActorRef<?> actor() {
            throw new InjectedException();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 11, 12})
    void aCrashedSrqRaisesSrqErrAndMovesItsQueuePairsToErr(int settled) {
        try (Setup setup = new Setup(100 + settled)) {
            setup.strike(settled, () -> ((SharedReceiveHandle) setup.srq).attaches(new ThrowingUser()));
            setup.everyRequestEndedOnce();
            assertThat(setup.kinds())
                    .contains(AsyncEvent.Kind.SRQ_ERR, AsyncEvent.Kind.QP_FATAL, AsyncEvent.Kind.QP_LAST_WQE_REACHED);
            assertThat(setup.pair.remote().state()).isEqualTo(QpState.ERR);
            assertThatThrownBy(() -> setup.srq.postReceive(Receive.of(1))).isInstanceOf(VerbsException.class);
            isEioBecauseOf(InjectedException.class, setup.srq.query(), setup);
            setup.nobodyElseNotices();
            setup.world.await(setup.pair.remote().destroy());
            setup.world.await(setup.srq.destroy());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 11, 12})
    void aCrashedTranslatorInvalidatesItsKey(int settled) {
        try (Setup setup = new Setup(200 + settled)) {
            String path = "b/mr-%08x".formatted(setup.into.lkey());
            setup.strike(
                    settled,
                    () -> setup.tell(
                            path,
                            new TranslatorActor.RequestLease(
                                    LeaseRequest.of(setup.into.lkey(), 1, new ThrowingUser()))));
            setup.everyRequestEndedOnce();
            if (settled < REQUESTS) {
                assertThat(setup.statuses())
                        .containsAnyOf(Status.REM_OP_ERR, Status.REM_ACCESS_ERR, Status.WR_FLUSH_ERR);
            }
            setup.nobodyElseNotices();
            setup.world.await(setup.into.deregister());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 11, 12})
    void aCrashedAdapterRaisesDeviceFatal(int settled) {
        try (Setup setup = new Setup(300 + settled)) {
            Reply<CompletionQueueHandle> reply = new Reply<>(Runnable::run);
            setup.strike(settled, () -> setup.tell("b", poison(reply)));
            setup.everyRequestEndedOnce();
            assertThat(setup.kinds()).contains(AsyncEvent.Kind.DEVICE_FATAL, AsyncEvent.Kind.QP_FATAL);
            assertThat(setup.pair.remote().state()).isEqualTo(QpState.ERR);
            isEioBecauseOf(NullPointerException.class, setup.context.createCq(10), setup);
            isEioBecauseOf(NullPointerException.class, reply.stage(), setup);
            setup.nobodyElseNotices();
            setup.world.await(setup.context.closeAsync());
        }
    }

    @SuppressWarnings("NullAway") // this makes it fail
    private static AdapterActor.Command poison(Reply<CompletionQueueHandle> reply) {
        Blueprint<?, CompletionQueueHandle> nothing = null;
        return new AdapterActor.Create<>(null, nothing, reply);
    }

    /** Packet receiver that throws. */
    private static final class ThrowingReceiver implements Receiver {
        private final Setup setup;
        private final Endpoint here;

        private ThrowingReceiver(Setup setup) {
            this.setup = setup;
            here = new Endpoint(LocalPort.addressOf(setup.a.gid()), 0xABCDE, this);
        }

        static Endpoint in(Setup setup) {
            Endpoint here = new ThrowingReceiver(setup).here;
            setup.tell("fabric", new FabricActor.Attach(here));
            return here;
        }

        /** Throws once for each packet on its way here, after it detached itself. */
        @Override
        public void deliver(Packet[] train, long[] traceIds) {
            setup.tell("fabric", new FabricActor.Detach(here));
            throw new InjectedException();
        }

        @Override
        public void corrupted() {}

        @Override
        public void credit(int packets) {}
    }

    private static Packet redirected(Packet packet, Endpoint to) {
        Bth bth = packet.bth();
        Route route = packet.route();
        return packet.withRoute(new Route(
                        route.source(),
                        to.port(),
                        route.trafficClass(),
                        route.hopLimit(),
                        route.flowLabel(),
                        route.udpSourcePort()))
                .withBth(Bth.of(
                        bth.opcode(),
                        bth.solicited(),
                        bth.migReq(),
                        packet.payload().length(),
                        bth.pkey(),
                        to.qpNumber(),
                        bth.ackReq(),
                        bth.psn()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 11})
    void packetsLostInACrashOfTheFabricAreResent(int settled) {
        try (Setup setup = new Setup(400 + settled)) {
            setup.strike(settled, () -> {
                Endpoint trap = ThrowingReceiver.in(setup);
                int[] left = {2};
                setup.world
                        .network()
                        .intercept(transit -> left[0]-- > 0
                                ? new Verdict.Replace("into the trap", redirected(transit.packet(), trap))
                                : Verdict.PASS);
            });
            setup.world.network().intercept(Interceptor.NONE);
            setup.world.runToQuiet(Duration.ofSeconds(5));
            setup.everyRequestEndedOnce();
            assertThat(setup.statuses()).containsOnly(Status.SUCCESS);
            assertThat(setup.events).isEmpty();
            setup.nobodyElseNotices();
        }
    }

    @Test
    void packetsInFlightDuringACrashOfTheFabricArriveInTime() {
        try (Setup setup = new Setup(450)) {
            Endpoint trap = ThrowingReceiver.in(setup);
            int[] seen = {0};
            setup.world.network().intercept(transit -> switch (seen[0]++) {
                case 0 -> new Verdict.Replace("into the trap", redirected(transit.packet(), trap));
                case 1 -> new Verdict.Delay("behind it", 500);
                default -> Verdict.PASS;
            });
            setup.pair.local().post(Send.of(1));
            setup.pair.local().post(Send.of(2));
            setup.world.runFor(Duration.ofNanos(3000));
            assertThat(setup.world.trace().events())
                    .anyMatch(event -> event instanceof FabricEvent.Delivered there
                            && there.port().equals("b")
                            && there.packet().psn() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 11, 12})
    void aCompletionChannelThatCrashesLosesNoWakeUp(int settled) {
        try (Setup setup = new Setup(500 + settled)) {
            List<CompletionQueue> woken = new ArrayList<>();
            setup.channel.wakeups().subscribe(Subscribers.forEach(queue -> {
                woken.add(queue);
                queue.arm(CompletionQueue.Arm.ANY);
            }));
            setup.cq.arm(CompletionQueue.Arm.ANY);
            setup.strike(settled, () -> crash((CompletionChannelHandle) setup.channel));
            setup.everyRequestEndedOnce();
            assertThat(setup.statuses()).containsOnly(Status.SUCCESS);
            int before = woken.size();
            setup.srq.postReceive(Receive.of(99, setup.into.slice(0, 64)));
            setup.world.await(setup.pair.local().submit(Send.of(99, setup.from.slice(0, 8))));
            setup.world.settle();
            assertThat(woken).hasSizeGreaterThan(before);
            setup.nobodyElseNotices();
        }
    }

    @SuppressWarnings("NullAway") // this makes it fail
    private static void crash(CompletionChannelHandle channel) {
        channel.commandSender().actor().tell(new EventQueueActor.Settle<>(null, new Reply<>(Runnable::run)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8})
    void aSubscriberThatThrowsAnErrorIsCancelledAndTheNextServed(int taken) {
        try (Setup setup = new Setup(600 + taken)) {
            setup.world.allowExceptions(AssertionError.class);
            CompletionQueue own = setup.world.await(setup.context.createCq(100));
            QpPair<RcQueuePair> pair = setup.world.await(QpPair.connectRc(
                    setup.pdB,
                    QpDescription.rc().withSendCq(own),
                    setup.pdB,
                    QpDescription.rc(),
                    RcConnection.DEFAULT));
            List<Long> seen = new ArrayList<>();
            own.completions().subscribe(new Failing(seen, taken));
            for (int i = 0; i < REQUESTS; i++) {
                pair.local()
                        .post(RdmaWrite.of(i, List.of(), new org.hcaactors.api.memory.RemoteAddress(0, 0))
                                .withSignaled());
            }
            setup.world.runToQuiet(Duration.ofSeconds(1));
            own.completions().subscribe(Subscribers.forEach(wc -> seen.add(wc.workId())));
            setup.world.runToQuiet(Duration.ofSeconds(1));
            assertThat(seen).hasSize(REQUESTS).isSorted().doesNotHaveDuplicates();
            setup.nobodyElseNotices();
        }
    }

    /** Takes that many, and throws an Error at the next. */
    private record Failing(List<Long> seen, int max) implements Flow.Subscriber<WorkCompletion> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(100);
        }

        @Override
        public void onNext(WorkCompletion item) {
            seen.add(item.workId());
            if (seen.size() > max) {
                throw new AssertionError("a subscriber's test failed");
            }
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onComplete() {}
    }
}
