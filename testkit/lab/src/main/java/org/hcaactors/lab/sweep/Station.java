package org.hcaactors.lab.sweep;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Gid;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.ProtectionDomain;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.world.World;

/**
 * An adapter that belongs to one strand, which may do to its port as it likes.
 *
 * @param gids its table as it was made
 * @param region all of the memory, with every right
 */
record Station(Adapter adapter, List<Gid> gids, ProtectionDomain domain, HostMemory memory, MemoryRegion region) {
    static Station on(World world, String name, LinkProperties link, SplittableRandom lots, int bytes) {
        Adapter adapter = world.network().addAdapter(name, Setting.profile(lots), link);
        ProtectionDomain domain = adapter.process(Site.PROCESS).open().allocatePd();
        HostMemory memory = adapter.process(Site.PROCESS).allocate(bytes);
        MemoryRegion region =
                world.await(domain.register(Registration.of(memory).allowing(AccessFlags.LOCAL_AND_REMOTE)));
        return new Station(adapter, adapter.port(1).gidTable(), domain, memory, region);
    }

    /** From RESET to RTS. */
    static CompletionStage<Void> ready(RcQueuePair end, Gid peerAt, RcQueuePair peer, RcConnection terms) {
        return end.modify(terms.toInit())
                .thenCompose(done -> end.modify(terms.toReadyToReceive(peerAt, peer.number())))
                .thenCompose(done -> end.modify(terms.toReadyToSend()));
    }
}
