// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.lab.world.World;

/**
 * Receives that barely fit: some extend beyond their region, but a message accesses only as many bytes as it has; some are
 * shorter than a datagram, which is dropped while the receive stays posted.
 */
final class ExactFitReceives implements Workload {
    private static final int QKEY = 0x0A0B_0C0D;
    private static final int REGISTERED = 128;
    private static final int MEMORY = 4 * REGISTERED;
    /** Bytes of a receive inside its region. */
    private static final int INSIDE = 32;

    private static final int SHORT = UdQueuePair.GRH_BYTES + 50;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final HostMemory memory;
    private final MemoryRegion region;
    private final QueuePairLife life;
    private final Ends<RcEnd> pair;
    private final QueuePairLife datagrams;
    private final Ends<UdEnd> unconnected;
    private final List<WorkCompletion> received = new ArrayList<>();
    private int acts;

    ExactFitReceives(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("tight fits");
        SweepNode b = sweep.b();
        World world = sweep.world();
        memory = b.adapter.process(SweepNode.PROCESS).allocate(MEMORY);
        region = world.await(b.domain.register(memory, 0, REGISTERED, AccessFlags.of(Access.LOCAL_WRITE)));
        life = sweep.promises().life("receives beyond their region");
        pair = sweep.connected(sweep.patient(random));
        datagrams = sweep.promises().life("datagrams that do not fit");
        CompletionQueue queue = world.await(b.context.createCq(256));
        queue.completions().subscribe(Subscribers.forEach(received::add, reason -> {}));
        unconnected =
                UdEnd.introduce(world.network(), sweep.a().half(), b.half().withRecvCq(queue), QKEY);
    }

    @Override
    public void step() {
        acts++;
        if (random.nextBoolean()) {
            LocalSlice reachesBeyond =
                    new LocalSlice(region.lkey(), memory.address() + REGISTERED - INSIDE, REGISTERED);
            ReceiveWaves.quietly(() -> pair.b().postReceive(Receive.of(acts, reachesBeyond)));
            Send send = Send.of(acts, sweep.a().source(0, random.nextInt(INSIDE + 1)));
            life.add("SEND " + acts, pair.a().submit(send), () -> {});
        } else {
            int place = random.nextInt(2) == 0 ? SHORT : REGISTERED;
            LocalSlice slice = new LocalSlice(region.lkey(), memory.address(), place);
            ReceiveWaves.quietly(() -> unconnected.b().postReceive(Receive.of(acts, slice)));
            Send send = Send.of(acts, sweep.a().source(0, random.nextInt(REGISTERED)));
            datagrams.add("datagram " + acts, unconnected.a().submit(send), () -> {});
        }
    }

    @Override
    public void atRest() {
        received.stream()
                .filter(each -> each.status() == Status.LOC_LEN_ERR || each.status() == Status.LOC_PROT_ERR)
                .findFirst()
                .ifPresent(each -> {
                    throw new AssertionError("receive " + each.workId() + " of a datagram ended with " + each.status()
                            + "; a datagram that does not fit must be dropped");
                });
    }
}
