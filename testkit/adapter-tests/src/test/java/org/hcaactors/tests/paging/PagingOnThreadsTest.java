// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.PageLatency;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host thread evicts pages while the adapter's threads use them. */
@Tag("judge")
class PagingOnThreadsTest {
    private static final int BYTES = 1 << 18;
    private static final int CHUNK = 1 << 13;
    private static final int ROUNDS = 200;
    private static final long IOVA = 1 << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static ConnectedPair connected(RdmaNetwork network) {
        Duration little = Duration.ofNanos(5_000);
        return connected(
                network,
                PageLatency.DEFAULT
                        .withFault(little)
                        .withReadBack(Duration.ZERO)
                        .withInvalidation(little));
    }

    private static ConnectedPair connected(RdmaNetwork network, PageLatency latency) {
        HostMachine machine = HostMachine.DEFAULT.withPageLatency(latency);
        Adapter a = network.addAdapter("a", Profile.CONNECTX_5, LinkProperties.IDEAL, machine);
        Adapter b = network.addAdapter("b", Profile.CONNECTX_5, LinkProperties.IDEAL, machine);
        RcConnection attributes = RcConnection.DEFAULT.withRnrRetry(7).withMinRnrTimerCode(1);
        return ConnectedPair.between(
                network, a, b, Shape.DEFAULT.with(attributes).withMemoryBytes(BYTES));
    }

    private static MemoryRegion region(RdmaNetwork network, ConnectedPair pair, HostMemory memory) {
        return network.await(pair.b()
                .domain()
                .register(Registration.of(memory).withOnDemandPaging().withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    // rules paging-fault, paging-invalidates
    @Test
    void writtenDataArriveWhileAThreadEvicts() throws InterruptedException {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            ConnectedPair pair = connected(network);
            byte[] bytes = Paged.counted(BYTES);
            pair.a().memory().write(0, bytes);
            HostMemory memory = pair.b().context().process().allocate(BYTES);
            MemoryRegion region = region(network, pair, memory);
            AtomicBoolean over = new AtomicBoolean();
            Thread host = Thread.ofPlatform().daemon().start(() -> {
                SplittableRandom chance = new SplittableRandom(1);
                while (!over.get()) {
                    memory.evict(chance.nextInt(BYTES / CHUNK) * (long) CHUNK, CHUNK);
                    Thread.yield();
                }
            });
            for (int i = 0; i < ROUNDS; i++) {
                int at = i * CHUNK % BYTES;
                WorkCompletion done = network.await(
                        pair.a().qp().submit(RdmaWrite.of(i, pair.a().region().slice(at, CHUNK), region.remote(at))));
                assertThat(done.status()).isEqualTo(Status.SUCCESS);
            }
            over.set(true);
            assertThat(host.join(TIMEOUT)).as("the host evicts no more").isTrue();
            assertThat(memory.read(0, BYTES)).isEqualTo(bytes);
            assertThat(pair.b().adapter().pagingCounters().pageFaults()).isPositive();
        }
    }

    // rule paging-unmapped-meanwhile
    @Test
    void memoryUnmappedUnderTrafficAffectsNoOtherConnection() {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            ConnectedPair pair = connected(network);
            for (int round = 0; round < 10; round++) {
                ConnectedPair own = round == 0 ? pair : connectedAgain(network, pair);
                HostMemory memory = own.b().context().process().allocate(BYTES);
                MemoryRegion region = region(network, own, memory);
                network.await(
                        own.a().qp().submit(RdmaWrite.of(99, own.a().region().slice(0, CHUNK), region.remote(0))));
                List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    stages.add(own.a()
                            .qp()
                            .submit(RdmaWrite.of(
                                    i, own.a().region().slice(0, CHUNK), region.remote((long) i % 4 * CHUNK))));
                }
                memory.close();
                for (CompletionStage<WorkCompletion> stage : stages) {
                    assertThat(network.await(stage).status())
                            .isIn(Status.SUCCESS, Status.REM_ACCESS_ERR, Status.WR_FLUSH_ERR);
                }
                network.await(region.deregister());
            }
            // A message that the pager gets after the last region was deregistered.
            network.await(pair.b().domain().advise(Prefetch.of(Purpose.READ).withFlush()));
            assertThat(pair.b().adapter().pagingCounters().regionPages()).isZero();
            assertThat(pair.b().adapter().pagingCounters().regions()).isZero();
            assertThat(pair.b().adapter().pagingCounters().pageFaults()).isPositive();
        }
    }

    // rules paging-reregister, paging-fault
    @Test
    void aRegionReregisteredUnderTrafficAcceptsEveryMessage() throws InterruptedException {
        try (RdmaNetwork network = RdmaNetwork.start()) {
            ConnectedPair pair = connected(network, PageLatency.NONE);
            MemoryRegion region =
                    network.await(pair.a().domain().register(fresh(pair).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
            AtomicBoolean over = new AtomicBoolean();
            Thread program = Thread.ofPlatform().daemon().start(() -> {
                while (!over.get()) {
                    HostMemory before = region.memory();
                    network.await(region.reregister(
                            Reregistration.of(Change.TRANSLATION).withTranslation(fresh(pair))));
                    before.close();
                }
            });
            LocalSlice here = new LocalSlice(region.lkey(), IOVA, CHUNK);
            for (int i = 0; i < ROUNDS / 20; i++) {
                List<CompletionStage<WorkCompletion>> stages = new ArrayList<>();
                for (int k = 0; k < 16; k++) {
                    stages.add(
                            pair.a().qp().submit(RdmaRead.of(k, here, pair.b().remote(0))));
                }
                for (CompletionStage<WorkCompletion> stage : stages) {
                    assertThat(network.await(stage).status()).isEqualTo(Status.SUCCESS);
                }
            }
            over.set(true);
            assertThat(program.join(TIMEOUT))
                    .as("the program registers no more")
                    .isTrue();
            network.await(region.deregister());
            PagingCounters counters = pair.a().adapter().pagingCounters();
            assertThat(counters.failedResolutions()).as("its key is known").isZero();
            assertThat(counters.regions()).isZero();
            assertThat(counters.regionPages()).isZero();
        }
    }

    private static Registration fresh(ConnectedPair pair) {
        HostMemory memory = pair.a().context().process().allocate(BYTES);
        return Registration.of(memory).withAddress(IOVA).withOnDemandPaging();
    }

    private static ConnectedPair connectedAgain(RdmaNetwork network, ConnectedPair first) {
        return ConnectedPair.between(
                network,
                first.a().adapter(),
                first.b().adapter(),
                Shape.DEFAULT
                        .with(RcConnection.DEFAULT.withRnrRetry(7).withMinRnrTimerCode(1))
                        .withMemoryBytes(BYTES));
    }
}
