// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.paging;

import java.time.Duration;
import org.hcaactors.api.capability.PagingCapabilities;
import org.hcaactors.api.capability.PagingCapabilities.Feature;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.PagingCounters;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Shape;
import org.hcaactors.lab.world.World;

/** Two connected adapters, each with an untouched region on demand next to a pinned one. */
final class Paged implements AutoCloseable {
    static final int PAGE = 4096;
    static final int PAGES = 64;
    static final int BYTES = PAGES * PAGE;

    final World world;
    final Adapter here;
    final Adapter there;
    final ConnectedPair pair;
    final MemoryRegion a;
    final MemoryRegion b;

    private Paged(World world, Profile profile, Registrar registrar) {
        this.world = world;
        here = world.network().addAdapter("a", profile, LinkProperties.of(1_000, 100_000_000_000L));
        there = world.network().addAdapter("b", profile, LinkProperties.of(1_000, 100_000_000_000L));
        RcConnection attributes =
                RcConnection.DEFAULT.withTimeoutCode(14).withRetryCount(7).withRnrRetry(7);
        pair = ConnectedPair.between(world.network(), here, there, Shape.DEFAULT.with(attributes));
        a = registered(pair.a(), registrar);
        b = registered(pair.b(), registrar);
    }

    /** Returns the registration of new memory. */
    interface Registrar {
        Registration of(HostMemory memory);
    }

    static Paged of(long seed) {
        return in(World.of(seed));
    }

    static Paged in(World world) {
        return new Paged(
                world,
                Profile.CONNECTX_5,
                memory -> Registration.of(memory).withOnDemandPaging().withAccess(AccessFlags.LOCAL_AND_REMOTE));
    }

    static Paged of(long seed, Registrar registrar) {
        return new Paged(World.of(seed), Profile.CONNECTX_5, registrar);
    }

    /** Returns adapters without paging, with pinned regions. */
    static Paged withoutPaging() {
        return pinned(Profile.CONNECTX_5.with(PagingCapabilities.NONE));
    }

    /** Returns adapters that read the page tables of their hosts. */
    static Paged withHostTables() {
        return with(Profile.CONNECTX_5.with(Profile.CONNECTX_5.paging().with(Feature.HOST_TABLES)));
    }

    /** Returns adapters of that model. */
    static Paged with(Profile profile) {
        return new Paged(
                World.of(0),
                profile,
                memory -> Registration.of(memory).withOnDemandPaging().withAccess(AccessFlags.LOCAL_AND_REMOTE));
    }

    /** Returns adapters of that model, with pinned regions. */
    static Paged pinned(Profile profile) {
        return new Paged(World.of(0), profile, Registration::of);
    }

    private MemoryRegion registered(RcEnd end, Registrar registrar) {
        HostMemory memory = end.context().process().allocate(BYTES);
        return world.await(end.domain().register(registrar.of(memory)));
    }

    PagingCounters ofA() {
        return here.pagingCounters();
    }

    PagingCounters ofB() {
        return there.pagingCounters();
    }

    void quiet() {
        if (!world.runToQuiet(Duration.ofSeconds(5))) {
            throw new AssertionError("no quiet");
        }
    }

    static byte[] counted(int bytes) {
        byte[] all = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            all[i] = (byte) (i * 7 + i / PAGE);
        }
        return all;
    }

    @Override
    public void close() {
        world.close();
    }
}
