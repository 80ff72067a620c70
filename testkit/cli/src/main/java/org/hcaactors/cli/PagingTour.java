// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Prefetch;
import org.hcaactors.api.memory.Prefetch.Purpose;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;
import org.hcaactors.lab.world.WorldOptions;

/** The same WRITE into a pinned region and into regions with on-demand paging, with pages in every state. */
final class PagingTour {
    /**
     * Measurement of one WRITE.
     *
     * @param name name of its target
     * @param pages pages that were mapped for it
     * @param packets packets sent meanwhile, both ways
     */
    record Row(String name, long nanos, long faults, long pages, long packets) {}

    private final World world;
    private final ConnectedPair pair;
    private final int bytes;
    private final AtomicLong packets = new AtomicLong();
    private final List<Row> rows = new ArrayList<>();
    private final Map<String, MemoryRegion> regions = new LinkedHashMap<>();

    /** The link's queue holds a whole window, so that only page faults affect the time. */
    private static final LinkProperties LINK = new LinkProperties(
            World.DEFAULT_LINK.latencyNanos(), World.DEFAULT_LINK.bitsPerSecond(), 9000, Long.MAX_VALUE);

    static World world(long seed) {
        return World.of(WorldOptions.of(seed).with(Watch.NOBODY));
    }

    PagingTour(World world, int bytes) {
        this.world = world;
        this.bytes = bytes;
        Adapter a = world.network().addAdapter("a", Profile.CONNECTX_5, LINK);
        Adapter b = world.network().addAdapter("b", Profile.CONNECTX_5, LINK);
        RcConnection attributes =
                RcConnection.DEFAULT.withMtu(PathMtu.BYTES_4096).withRnrRetry(7).withTimeoutCode(18);
        pair = ConnectedPair.between(
                world.network(), a, b, Shape.DEFAULT.with(attributes).withMemoryBytes(bytes));
        world.network().tap(event -> packets.addAndGet(event instanceof FabricEvent.Sent ? 1 : 0));
    }

    /** Returns all adapters of the run: first the target, which is device 0 of its host. */
    List<Adapter> devices() {
        return List.of(target(), pair.a().adapter());
    }

    /** Returns the adapter that is written to. */
    Adapter target() {
        return pair.b().adapter();
    }

    /** Returns the regions with on-demand paging, by name. */
    Map<String, MemoryRegion> regions() {
        return Collections.unmodifiableMap(regions);
    }

    List<Row> run() {
        write("none: pinned", pair.b().region(), pair.b().region().address());
        HostMemory memory = pair.b().context().process().allocate(bytes);
        MemoryRegion region = register("cold, warm, evicted", Registration.of(memory));
        write("cold", region, memory.address());
        write("warm", region, memory.address());
        memory.evict(0, bytes);
        world.runToQuiet(Duration.ofSeconds(1));
        write("evicted", region, memory.address());
        HostMemory ahead = pair.b().context().process().allocate(bytes);
        MemoryRegion prefetched = register("prefetched", Registration.of(ahead));
        world.await(pair.b()
                .domain()
                .advise(Prefetch.of(Purpose.WRITE, slices(prefetched)).withFlush()));
        write("prefetched", prefetched, ahead.address());
        HostMemory anywhere = pair.b().context().process().allocate(bytes);
        write("implicit, cold", register("implicit", Registration.wholeAddressSpace()), anywhere.address());
        return rows;
    }

    private LocalSlice[] slices(MemoryRegion region) {
        return new LocalSlice[] {region.slice(0, bytes)};
    }

    private MemoryRegion register(String name, Registration of) {
        MemoryRegion made = world.await(
                pair.b().domain().register(of.withOnDemandPaging().withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        regions.put(name, made);
        return made;
    }

    private void write(String name, MemoryRegion region, long address) {
        PagingCounters before = target().pagingCounters();
        long begin = world.now();
        long sent = packets.get();
        WorkCompletion done = world.await(pair.a()
                .qp()
                .submit(RdmaWrite.of(
                        rows.size(), pair.a().region().slice(0, bytes), new RemoteAddress(region.rkey(), address))));
        if (!done.isSuccess()) {
            throw new IllegalStateException(name + ": " + done);
        }
        PagingCounters after = target().pagingCounters();
        rows.add(new Row(
                name,
                world.now() - begin,
                after.pageFaults() - before.pageFaults(),
                after.pageFaultPages() - before.pageFaultPages(),
                packets.get() - sent));
    }
}
