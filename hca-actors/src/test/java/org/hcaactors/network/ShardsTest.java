// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.dispatch.MessageDispatcher;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.UcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Shards of the objects that a program creates. */
class ShardsTest {
    /** Records the threads on which each queue emits events. */
    private static final class Threads implements TraceSink {
        final Map<String, Set<String>> of = new ConcurrentHashMap<>();
        private final AtomicLong ids = new AtomicLong();

        @Override
        public boolean enabled() {
            return true;
        }

        @Override
        public long nextId() {
            return ids.incrementAndGet();
        }

        @Override
        public void record(TraceEvent event) {
            switch (event) {
                case HcaEvent.StateChanged changed -> note(changed.port() + " " + changed.element());
                case HcaEvent.EntryWritten written -> note(written.port() + " " + written.element());
                default -> {}
            }
        }

        private void note(String element) {
            of.computeIfAbsent(element, first -> ConcurrentHashMap.newKeySet())
                    .add(Thread.currentThread().getName().replaceAll("-[0-9]+$", ""));
        }
    }

    private final Threads threads = new Threads();
    private final RdmaNetwork network =
            RdmaNetwork.start(Environment.production().withTrace(threads).withShards(3));
    private final DeviceContext a =
            Loopback.adapter(network, "a").process("app").open();
    private final DeviceContext b =
            Loopback.adapter(network, "b").process("app").open();
    private final ProtectionDomain pdA = a.allocatePd();
    private final ProtectionDomain pdB = b.allocatePd();

    @AfterEach
    void close() {
        network.close();
    }

    private CompletionQueue cq(DeviceContext context, int shard) {
        return network.await(context.createCq(CqDescription.of(16).withShard(shard)));
    }

    private static List<Integer> of(QpPair<RcQueuePair> pair) {
        return List.of(pair.local().sendCq().shard(), pair.remote().sendCq().shard());
    }

    @Test
    void aNetworkReportsItsNumberOfShards() {
        assertThat(network.shards()).isEqualTo(3);
        assertThat(a.adapter().shards()).isEqualTo(3);
    }

    @Test
    void shardsDefaultToProcessorsAndWithATraceToOne() {
        Environment plain = Environment.production();
        int processors = Runtime.getRuntime().availableProcessors();
        assertThat(plain.shards()).isEqualTo(Math.min(Environment.DEFAULT_MAX_SHARDS, processors));
        assertThat(plain.withTrace(threads).shards()).isEqualTo(1);
        assertThat(plain.withTrace(threads).withShards(2).shards()).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> plain.withShards(0));
        assertThatIllegalArgumentException().isThrownBy(() -> plain.withShards(Environment.MAX_SHARDS + 1));
    }

    @Test
    void aCompletionQueueIsOnTheShardOfItsDescription() {
        assertThat(network.await(a.createCq(16)).shard()).isZero();
        CompletionQueue there = cq(a, 2);
        assertThat(there.shard()).isEqualTo(2);
        assertThat(there).hasToString("completion queue " + there.number() + " of a on shard 2");
    }

    @Test
    void nextShardIsAssignedInTurn() {
        CqDescription anywhere = CqDescription.of(16).withNextShard();
        assertThat(List.of(
                        network.await(a.createCq(anywhere)).shard(),
                        network.await(b.createCq(anywhere)).shard(),
                        network.await(a.createCq(anywhere)).shard(),
                        network.await(a.createCq(anywhere)).shard()))
                .containsExactly(0, 1, 2, 0);
    }

    @Test
    void anUnknownShardIsRefused() {
        for (int none : new int[] {-1, 3}) {
            assertThatThrownBy(() -> cq(a, none))
                    .isInstanceOfSatisfying(
                            VerbsException.class,
                            refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("shard is " + none + "; 0 to 2 is allowed");
            assertThatThrownBy(() -> network.await(pdA.createSrq(SrqDescription.DEFAULT.withShard(none))))
                    .hasMessageContaining("shard is " + none);
            assertThatThrownBy(
                            () -> network.await(pdA.createQp(QpDescription.rc().withShard(none))))
                    .hasMessageContaining("shard is " + none);
        }
        assertThat(a.openObjects().leaks()).hasSize(1);
    }

    @Test
    void bothEndsOfAConnectionAreOnOneShardAndTheNextOnTheNext() {
        assertThat(of(network.await(QpPair.connectRc(pdA, pdB)))).containsExactly(0, 0);
        assertThat(of(network.await(QpPair.connectRc(pdA, pdB)))).containsExactly(1, 1);
        QpPair<UcQueuePair> uc = network.await(QpPair.connectUc(pdA, pdB));
        assertThat(List.of(uc.local().sendCq().shard(), uc.remote().sendCq().shard()))
                .containsExactly(2, 2);
    }

    @Test
    void anEndWithoutQueuesIsOnTheShardOfTheOtherEnd() {
        assertThat(of(network.await(QpPair.connectRc(
                        pdA, QpDescription.rc(), pdB, QpDescription.rc().withSendCq(cq(b, 2))))))
                .containsExactly(2, 2);
        assertThat(of(network.await(QpPair.connectRc(
                        pdA, QpDescription.rc(), pdB, QpDescription.rc().withRecvCq(cq(b, 1))))))
                .containsExactly(1, 1);
        SharedReceiveQueue srq = network.await(pdB.createSrq(SrqDescription.DEFAULT.withShard(2)));
        assertThat(srq.shard()).isEqualTo(2);
        assertThat(of(network.await(QpPair.connectRc(
                        pdA, QpDescription.rc(), pdB, QpDescription.rc().withSrq(srq)))))
                .containsExactly(2, 2);
        assertThat(of(network.await(QpPair.connectRc(
                        pdA,
                        QpDescription.rc().withShard(1),
                        pdB,
                        QpDescription.rc().withShard(2)))))
                .containsExactly(1, 2);
    }

    @Test
    void aQueuePairIsOnTheShardOfItsSendCqOnly() {
        assertThatThrownBy(() -> network.await(
                        pdA.createQp(QpDescription.rc().withSendCq(cq(a, 2)).withShard(1))))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        refused -> assertThat(refused.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("on shard 1")
                .hasMessageContaining("which is on shard 2");
        assertThat(network.await(pdA.createQp(
                                QpDescription.rc().withSendCq(cq(a, 2)).withShard(2)))
                        .sendCq()
                        .shard())
                .isEqualTo(2);
    }

    @Test
    void aTagMatchingQueueIsOnTheShardOfItsCompletionQueue() {
        assertThat(network.await(pdA.createSrq(SrqDescription.DEFAULT.withTagMatching(TagMatching.of(cq(a, 1)))))
                        .shard())
                .isEqualTo(1);
    }

    @Test
    void everyObjectRunsOnTheThreadOfItsShard() {
        QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                pdA,
                QpDescription.rc().withSendCq(cq(a, 1)).withRecvCq(cq(a, 2)),
                pdB,
                QpDescription.rc().withShard(0)));
        network.await(pair.local().submit(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0))));
        network.close();
        assertThat(threads.of)
                .containsEntry("a qp" + pair.local().number(), Set.of("hca-hca.shards.1"))
                .containsEntry("a cq" + pair.local().sendCq().number(), Set.of("hca-hca.shards.1"));
    }

    @Test
    void aShardIsConfiguredLikeAnOverriddenDeviceDispatcher() {
        ActorSystem<Void> system = ActorSystem.create(
                Behaviors.empty(),
                "mine",
                ConfigFactory.parseString("""
                                hca.device-dispatcher = "my.threads"
                                my.threads {
                                  type = Dispatcher, executor = "fork-join-executor", throughput = 7
                                  fork-join-executor { parallelism-min = 1, parallelism-max = 1 }
                                }
                                hca.shards.2 = ${my.threads} { throughput = 3 }
                                """)
                        .withFallback(ConfigFactory.load())
                        .resolve());
        try (RdmaNetwork mine = RdmaNetwork.on(system, Environment.production().withShards(3))) {
            MessageDispatcher like = system.classicSystem().dispatchers().lookup("hca.shards.1");
            assertThat(like.throughput()).isEqualTo(7);
            assertThat(like).isNotSameAs(system.classicSystem().dispatchers().lookup("my.threads"));
            assertThat(system.classicSystem()
                            .dispatchers()
                            .lookup("hca.shards.2")
                            .throughput())
                    .isEqualTo(3);
            DeviceContext context =
                    mine.addAdapter("a", Profile.CONNECTX_5).process("app").open();
            for (int shard = 0; shard < 3; shard++) {
                assertThat(mine.await(context.createCq(CqDescription.of(1).withShard(shard)))
                                .shard())
                        .isEqualTo(shard);
            }
        } finally {
            system.terminate();
        }
    }
}
