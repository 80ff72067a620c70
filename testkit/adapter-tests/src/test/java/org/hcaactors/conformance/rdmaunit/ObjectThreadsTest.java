// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several threads that create and destroy objects of one context: threaded_test.cc. On ordinary threads. */
@Tag("judge")
class ObjectThreadsTest {
    private static final int THREADS = 5;
    private static final int EACH = 100;

    private final RdmaNetwork network = RdmaNetwork.start();
    private final Adapter adapter = network.addAdapter("a", Profile.CONNECTX_5);
    private final DeviceContext context = adapter.process("app").open();
    private final ProtectionDomain domain = context.allocatePd();
    private final CompletionQueue cq = network.await(context.createCq(200));
    private final HostMemory memory = adapter.process("app").allocate(Ground.PAGE);

    @AfterEach
    void close() {
        network.close();
    }

    private enum Kind {
        ADDRESS_HANDLE,
        COMPLETION_QUEUE,
        EXTENDED_COMPLETION_QUEUE,
        DOMAIN,
        REGION,
        QUEUE_PAIR,
        SHARED_RECEIVE_QUEUE
    }

    private Handle make(Kind kind) {
        return switch (kind) {
            case ADDRESS_HANDLE -> network.await(domain.createAddressHandle(AddressVector.to(adapter.gid())));
            case COMPLETION_QUEUE -> network.await(context.createCq(10));
            case EXTENDED_COMPLETION_QUEUE ->
                network.await(context.createCq(CqDescription.of(10).withTimestamps()));
            case DOMAIN -> context.allocatePd();
            case REGION ->
                network.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            case QUEUE_PAIR -> network.await(domain.createQp(QpDescription.rc().withSendCq(cq)));
            case SHARED_RECEIVE_QUEUE -> network.await(domain.createSrq(SrqDescription.DEFAULT));
        };
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:ThreadedTest.CreateDestroyAh")
    @Tag("rdma-unit-test:ThreadedTest.CreateDestroyCq")
    @Tag("rdma-unit-test:ThreadedTest.CreateDestroyCqEx")
    @Tag("rdma-unit-test:ThreadedTest.AllocDeallocPd")
    @Tag("rdma-unit-test:ThreadedTest.RegDeregMr")
    @Tag("rdma-unit-test:ThreadedTest.CreateDestroyQp")
    @Tag("rdma-unit-test:ThreadedTest.CreateDestroySrq")
    void concurrentThreadsCreateAndDestroyObjects(Kind kind) {
        int before = context.openObjects().leaks().size();
        ThreadGroupRunner.of(THREADS).each(thread -> {
            for (int i = 0; i < EACH; i++) {
                make(kind).close();
            }
        });
        assertThat(context.openObjects().leaks()).hasSize(before);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("rdma-unit-test:ThreadedTest.CreateAh")
    @Tag("rdma-unit-test:ThreadedTest.CreateCq")
    @Tag("rdma-unit-test:ThreadedTest.CreateCqEx")
    @Tag("rdma-unit-test:ThreadedTest.AllocPd")
    @Tag("rdma-unit-test:ThreadedTest.RegMr")
    @Tag("rdma-unit-test:ThreadedTest.CreateQp")
    @Tag("rdma-unit-test:ThreadedTest.CreateSrq")
    void objectsCreatedByConcurrentThreadsExistAndCanBeDestroyed(Kind kind) {
        int before = context.openObjects().leaks().size();
        Queue<Handle> made = new ConcurrentLinkedQueue<>();
        ThreadGroupRunner.of(THREADS).each(thread -> {
            for (int i = 0; i < EACH; i++) {
                made.add(make(kind));
            }
        });
        assertThat(context.openObjects().leaks()).hasSize(before + THREADS * EACH);
        assertThat(made).doesNotHaveDuplicates();
        made.forEach(Handle::close);
        assertThat(context.openObjects().leaks()).hasSize(before);
    }

    @Test
    @Tag("rdma-unit-test:ThreadedWorkloadTest.QpLifecycle")
    void concurrentThreadsConnectReadAndDestroy() {
        MemoryRegion region =
                network.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        ThreadGroupRunner.of(16).each(thread -> {
            for (int life = 0; life < 4; life++) {
                CompletionQueue own = network.await(context.createCq(64));
                QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                        domain,
                        QpDescription.rc().withSendCq(own),
                        domain,
                        QpDescription.rc().withSendCq(own)));
                for (int i = 0; i < 16; i++) {
                    RdmaRead read = RdmaRead.of(i, region.slice(0, Ground.PAGE), region.remote(0));
                    assertThat(network.await(pair.local().submit(read)).status())
                            .isEqualTo(Status.SUCCESS);
                }
                for (Handle used : List.of(pair.local(), pair.remote())) {
                    used.close();
                }
                network.await(own.destroy());
            }
        });
        assertThat(context.openObjects().leaks()).hasSize(3);
    }

    /** In virtual time, since every read whose target is gone waits for all its retries. */
    @Test
    @Tag("rdma-unit-test:ThreadedWorkloadTest.QpDestroyTargetWhileActive")
    void aTargetIsDestroyedUnderReadsAndTheOthersContinue() {
        try (Ground ground = new Ground(Wiring.LOOPBACK)) {
            var canary = ground.pair();
            for (int round = 0; round < 10; round++) {
                var pair = ground.pair();
                List<RdmaRead> backlog = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    backlog.add(RdmaRead.of(
                                    i, Ground.whole(pair.a().region()), pair.b().remote(0))
                            .withSignaled());
                }
                backlog.forEach(pair.a().qp()::post);
                ground.world().runFor(Duration.ofNanos(1000L * round));
                var going = pair.b().qp().destroy();
                assertThat(ground.await(canary.a()
                                        .qp()
                                        .submit(RdmaRead.of(
                                                round,
                                                Ground.whole(canary.a().region()),
                                                canary.b().remote(0))))
                                .status())
                        .isEqualTo(Status.SUCCESS);
                ground.await(going);
                var done = ground.all(pair.a().sendCq());
                assertThat(done).hasSize(100);
                assertThat(done)
                        .extracting(WorkCompletion::status)
                        .containsOnlyOnce(Status.RETRY_EXC_ERR)
                        .isSubsetOf(Status.SUCCESS, Status.RETRY_EXC_ERR, Status.WR_FLUSH_ERR);
                ground.await(pair.a().qp().destroy());
            }
        }
    }
}
