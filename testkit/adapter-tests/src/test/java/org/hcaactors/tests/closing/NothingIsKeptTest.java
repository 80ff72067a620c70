// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import javax.management.JMException;
import javax.management.ObjectName;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.IndirectKey;
import org.hcaactors.api.memory.IndirectKeyDescription;
import org.hcaactors.api.memory.KeyLayout;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.MemoryWindow;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.WindowBinding;
import org.hcaactors.api.memory.WindowType;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.FillKey;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.FabricWatch;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Objects that a service created, used and closed are garbage: after many rounds the JVM has as many objects of each class as
 * after few. Fewer than one per round are in the course of ending, and no growth.
 */
@Tag("judge")
class NothingIsKeptTest {
    private static final int ROUNDS = 40;
    /** Cancelled timers and cleaners of fast rounds end a little later; what a reference keeps is in every count. */
    private static final int MAX_COUNTS = 50;

    /** Classes of objects that counting itself creates. */
    private static final Set<String> COUNTING = Set.of(
            "[B", "java.lang.Long", "java.lang.String", "java.util.TreeMap$Entry", "[Ljdk.internal.vm.FillerElement;");

    private static final int QKEY = 0x1234;

    private RdmaNetwork network;
    private Adapter a;
    private Adapter b;

    /** One task of a service, with its cleanup. */
    @FunctionalInterface
    private interface Round {
        void play();
    }

    @BeforeEach
    void start() {
        network = RdmaNetwork.start();
        a = network.addAdapter("a", Profile.CONNECTX_5);
        b = network.addAdapter("b", Profile.CONNECTX_5);
    }

    @AfterEach
    void close() {
        network.close();
    }

    private <T> T await(CompletionStage<T> stage) {
        return network.await(stage);
    }

    private void keepsNothing(Round round) {
        for (int i = 0; i < ROUNDS; i++) {
            round.play();
        }
        Map<String, Long> before = instances();
        for (int i = 0; i < ROUNDS; i++) {
            round.play();
        }
        Map<String, Long> grown = grown(before);
        for (int count = 1; count < MAX_COUNTS && !grown.isEmpty(); count++) {
            grown = grown(before);
        }
        assertThat(grown).as("objects more after %d more rounds", ROUNDS).isEmpty();
    }

    private static Map<String, Long> grown(Map<String, Long> before) {
        Map<String, Long> grown = instances();
        grown.replaceAll((type, count) -> count - before.getOrDefault(type, 0L));
        grown.values().removeIf(more -> more < ROUNDS);
        return grown;
    }

    @Test
    void aServiceKeepsNoReferenceToAnEndedProcess() {
        ProtectionDomain always = a.process("always").open().allocatePd();
        MemoryRegion target = await(always.register(
                Registration.of(a.process("always").allocate(4096)).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        keepsNothing(() -> round(always, target));
    }

    @Test
    void longLivedObjectsKeepNoReferenceToEndedOnes() {
        HostProcess process = a.process("always");
        DeviceContext context = process.open();
        ProtectionDomain domain = context.allocatePd();
        HostMemory memory = process.allocate(4096);
        CompletionChannel channel = await(context.createChannel());
        CompletionQueue cq = await(context.createCq(64));
        SharedReceiveQueue srq = await(domain.createSrq(SrqDescription.DEFAULT));
        QpPair<RcQueuePair> lasting = await(QpPair.connectRc(
                domain,
                QpDescription.rc().withSendCq(cq),
                domain,
                QpDescription.rc().withSendCq(cq)));
        keepsNothing(() -> {
            HostMemory own = process.allocate(64);
            MemoryRegion from = await(domain.register(own, Access.LOCAL_WRITE));
            MemoryRegion to = await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            CompletionQueue unfetched =
                    await(context.createCq(CqDescription.of(8).withChannel(channel)));
            QpPair<RcQueuePair> pair = await(QpPair.connectRc(
                    domain,
                            QpDescription.rc()
                                    .withSendCq(cq)
                                    .withRecvCq(unfetched)
                                    .withSrq(srq),
                    domain, QpDescription.rc().withSendCq(unfetched)));
            succeeds(lasting.local().submit(RdmaWrite.of(1, from.slice(0, 64), to.remote(0))));
            succeeds(lasting.remote().submit(RdmaRead.of(2, from.slice(0, 64), to.remote(0))));
            unfetched.arm(CompletionQueue.Arm.ANY);
            srq.postReceive(Receive.of(1, to.slice(0, 64)));
            succeeds(pair.remote().submit(Send.of(3, from.slice(0, 64))));
            await(pair.local().modify(QpModify.to(QpState.ERR)));
            CompletionStage<AsyncEvent> never = context.nextAsyncEvent();
            await(pair.local().destroy());
            await(pair.remote().destroy());
            await(unfetched.destroy());
            await(from.deregister());
            await(to.deregister());
            own.close();
            assertThat(await(never).kind()).isEqualTo(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
            await(cq.poll(64));
        });
    }

    /** Each new queue pair sends to the one before: the target of a route must not keep the target of its own former route. */
    @Test
    void aChainOfSuccessiveQueuePairsKeepsOnlyTheLast() {
        ProtectionDomain domain = a.process("always").open().allocatePd();
        MemoryRegion region = await(domain.register(
                Registration.of(a.process("always").allocate(64)).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        AddressHandle path = await(domain.createAddressHandle(AddressVector.to(a.gid())));
        UdQueuePair[] last = {await(domain.createQp(QpDescription.ud()))};
        keepsNothing(() -> {
            UdQueuePair next = await(domain.createQp(QpDescription.ud()));
            await(next.activate(QKey.of(QKEY)));
            UdAddress before = UdAddress.of(path, last[0].number(), QKey.of(QKEY));
            succeeds(next.submit(before, Send.of(1, region.slice(0, 64))));
            await(last[0].destroy());
            last[0] = next;
        });
    }

    /** A region keeps no reference to the binds and fills that used it before, for any number of them. */
    @Test
    void aRegionKeepsNoReferenceToItsBindsAndFills() {
        ProtectionDomain domain = a.process("always").open().allocatePd();
        MemoryRegion region =
                await(domain.register(Registration.of(a.process("always").allocate(4096))
                        .withAccess(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.MW_BIND)));
        QpPair<RcQueuePair> pair =
                await(QpPair.connectRc(domain, QpDescription.rc().withKeyFilling(4), domain, QpDescription.rc()));
        MemoryWindow window = await(domain.allocateWindow(WindowType.TYPE_1));
        IndirectKey indirect = await(domain.createIndirectKey(IndirectKeyDescription.of(4)));
        KeyLayout layout = KeyLayout.list(region.slice(0, 64));
        keepsNothing(() -> {
            succeeds(pair.local().submitBind(1, window, WindowBinding.of(region).withAccess(Access.REMOTE_WRITE)));
            succeeds(pair.local().submit(FillKey.of(2, indirect, layout).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            succeeds(pair.local().submit(RdmaWrite.of(3, indirect.slice(0, 64), region.remote(64))));
        });
    }

    private void round(ProtectionDomain always, MemoryRegion target) {
        FabricWatch watch = network.watch(16);
        watch.events().subscribe(Subscribers.forEach(event -> {}));
        HostProcess process = b.process("service");
        DeviceContext context = process.open();
        ProtectionDomain domain = context.allocatePd();
        context.asyncEvents().subscribe(Subscribers.forEach(event -> {}));
        HostMemory memory = process.allocate(8192);
        process.map(ByteBuffer.allocateDirect(64)).close();
        MemoryRegion region = await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        CompletionChannel channel = await(context.createChannel());
        CompletionQueue cq = await(context.createCq(CqDescription.of(64).withChannel(channel)));
        SharedReceiveQueue srq = await(domain.createSrq(SrqDescription.DEFAULT));

        QpPair<RcQueuePair> rc = await(QpPair.connectRc(
                always,
                QpDescription.rc(),
                domain,
                QpDescription.rc().withSendCq(cq).withSrq(srq)));
        useReliable(rc, srq, cq, channel, region, target);

        QpPair<UcQueuePair> uc = await(QpPair.connectUc(
                always, QpDescription.uc(), domain, QpDescription.uc().withSendCq(cq)));
        succeeds(uc.local().submit(RdmaWrite.of(1, target.slice(0, 64), region.remote(0))));

        UdQueuePair from = await(always.createQp(QpDescription.ud()));
        UdQueuePair to = await(domain.createQp(QpDescription.ud().withSendCq(cq)));
        await(from.activate(QKey.of(QKEY)));
        await(to.activate(QKey.of(QKEY)));
        await(to.attachMulticast(Gid.ofIpv4(239, 1, 1, 1)));
        cq.completions().subscribe(new Taking<>(1));
        to.postReceive(Receive.of(1, region.slice(0, 1000)));
        AddressHandle path = await(always.createAddressHandle(AddressVector.to(b.gid())));
        succeeds(from.submit(UdAddress.of(path, to.number(), QKey.of(QKEY)), Send.of(1, target.slice(0, 64))));

        rc.local().close();
        uc.local().close();
        from.close();
        path.close();
        if (region.lkey() % 512 == 0) {
            rc.remote().close();
            await(uc.remote().destroy());
            to.close();
            srq.close();
            region.close();
            memory.close();
            cq.close();
            channel.close();
            domain.close();
            context.close();
        }
        await(process.exit());
        watch.close();
    }

    private void useReliable(
            QpPair<RcQueuePair> rc,
            SharedReceiveQueue srq,
            CompletionQueue cq,
            CompletionChannel channel,
            MemoryRegion region,
            MemoryRegion target) {
        srq.postReceive(Receive.of(1, region.slice(0, 64)));
        cq.arm(CompletionQueue.Arm.ANY);
        succeeds(rc.local().submit(Send.of(1, target.slice(0, 64))));
        await(channel.next());
        assertThat(await(cq.poll(4))).hasSize(1);
        succeeds(rc.local().submit(RdmaRead.of(2, target.slice(0, 3000), region.remote(0))));
        succeeds(rc.remote().submit(RdmaWrite.of(3, region.slice(0, 3000), target.remote(0))));
        succeeds(rc.remote().submit(FetchAdd.of(4, region.slice(0, 8), target.remote(8), 1)));
        assertThat(await(rc.local().submit(RdmaWrite.of(5, target.slice(0, 8), new RemoteAddress(0x777, 0))))
                        .status())
                .isEqualTo(Status.REM_ACCESS_ERR);
    }

    private void succeeds(CompletionStage<WorkCompletion> request) {
        assertThat(await(request).status()).isEqualTo(Status.SUCCESS);
    }

    /** Takes that many and cancels. */
    private static final class Taking<T> implements Flow.Subscriber<T> {
        private int left;
        private Flow.@Nullable Subscription subscription;

        Taking(int count) {
            left = count;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(left);
        }

        @Override
        public void onNext(T item) {
            if (--left == 0 && subscription != null) {
                subscription.cancel();
            }
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onComplete() {}
    }

    /** Returns the number of reachable objects of each class, as {@code jcmd GC.class_histogram} counts after a collection. */
    private static Map<String, Long> instances() {
        Map<String, Long> counts = new TreeMap<>();
        histogram().lines().filter(line -> line.matches("\\s+\\d+:.*")).forEach(line -> {
            String[] columns = line.trim().split("\\s+");
            if (!COUNTING.contains(columns[3])) {
                counts.merge(columns[3], Long.parseLong(columns[1]), Long::sum);
            }
        });
        return counts;
    }

    private static String histogram() {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException unknown) {
            throw new IllegalStateException("this JVM does not count its objects", unknown);
        }
    }
}
