// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.closing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that close parts while others close the whole: both calls complete, in any order. */
@Timeout(120)
class ConcurrentClosingTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private static CompletableFuture<Void> onAThread(CountDownLatch start, Runnable work) {
        return CompletableFuture.runAsync(
                () -> {
                    start.countDown();
                    try {
                        assertThat(start.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                                .as("the other thread starts")
                                .isTrue();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    work.run();
                },
                task -> Thread.ofPlatform().daemon().start(task));
    }

    private static List<MemoryRegion> regions(RdmaNetwork network, DeviceContext context) {
        ProtectionDomain domain = context.allocatePd();
        HostMemory memory = context.process().allocate(64);
        List<MemoryRegion> regions = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            regions.add(network.await(domain.register(memory)));
        }
        return regions;
    }

    @Test
    void aContextClosesWhileItsRegionsAreDeregistered() {
        RdmaNetwork network = RdmaNetwork.start();
        Adapter a = network.addAdapter("a", Profile.CONNECTX_5);
        for (int i = 0; i < 150; i++) {
            DeviceContext context = a.process("app").open();
            List<MemoryRegion> regions = regions(network, context);
            CountDownLatch start = new CountDownLatch(2);
            CompletableFuture<Void> parts = onAThread(start, () -> regions.forEach(MemoryRegion::deregister));
            CompletableFuture<Void> whole = onAThread(start, context::closeAsync);
            assertThat(parts).as("the regions, round %d", i).succeedsWithin(TIMEOUT);
            assertThat(whole).as("the context, round %d", i).succeedsWithin(TIMEOUT);
            assertThat(context.closeAsync()).succeedsWithin(TIMEOUT);
        }
        network.close();
    }
}
