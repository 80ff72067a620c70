// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.world.World;

/**
 * Adapters that are plugged in during the run and given another cable at once: their packets take the time of the new cable.
 */
final class HotPluggedAdapters implements Workload {
    private static final int MAX = 3;
    private static final int ONE_IN = 4;
    private static final long BITS_PER_SECOND = 10_000_000_000L;

    private final World world;
    private final SplittableRandom random;
    private int made;

    HotPluggedAdapters(SweepContext sweep) {
        world = sweep.world();
        random = sweep.random("fresh adapters");
    }

    @Override
    public void step() {
        if (made < MAX && random.nextInt(ONE_IN) == 0) {
            long latency = 2000 + random.nextInt(4000);
            Adapter adapter = world.network().addAdapter("fresh-" + ++made, SweepContext.profile(random));
            world.network().setLink(adapter, LinkProperties.of(latency, BITS_PER_SECOND));
            try (DeviceContext context = adapter.process("app").open()) {
                ProtectionDomain domain = context.allocatePd();
                QpPair<RcQueuePair> itself = world.await(QpPair.connectRc(domain, domain));
                MemoryRegion region = world.await(domain.register(
                        Registration.of(context.process().allocate(64)).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
                long before = world.now();
                CompletionStage<WorkCompletion> write =
                        itself.local().submit(RdmaWrite.of(made, region.slice(0, 64), region.remote(0)));
                world.await(write);
                // A forged answer may arrive sooner.
                if (world.now() - before < 2 * latency && !world.faults().hasForged()) {
                    throw new AssertionError("a WRITE there and back took " + (world.now() - before)
                            + " ns over a link with a latency of " + latency + " ns, which is impossible");
                }
            }
        }
    }
}
