// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;

/**
 * One side of the mixed traffic: an adapter, a process, and one memory under several keys, one of which may be deregistered.
 * The memory is divided into sources, targets, receives, and words for atomics.
 */
final class SweepNode {
    static final String PROCESS = "app";
    /** Maximum size of one message. */
    static final int CELL = 1600;

    static final int CELLS = 100;
    private static final long TARGETS = (long) CELL * CELLS;
    private static final long RECEIVES = 2 * TARGETS;
    private static final int RECEIVE = CELL + 48;
    private static final long WORDS = RECEIVES + (long) RECEIVE * CELLS;
    private static final int WORD_COUNT = 4;

    private final World world;

    final Side side;
    final Adapter adapter;
    final DeviceContext context;
    final ProtectionDomain domain;
    final HostMemory memory;
    final MemoryRegion region;
    final MemoryRegion again;
    final MemoryRegion regionToDeregister;
    /** Covers the first cells only. */
    final MemoryRegion narrow;

    final MemoryRegion readable;
    /** Region of another protection domain. */
    final MemoryRegion foreign;

    SweepNode(World world, Adapter adapter, SplittableRandom random) {
        this.world = world;
        this.adapter = adapter;
        side = Side.of(world.network(), adapter, PROCESS, WORDS + 8L * WORD_COUNT);
        context = side.context();
        domain = side.domain();
        memory = side.memory();
        byte[] pattern = new byte[CELL * CELLS];
        random.nextBytes(pattern);
        memory.write(0, pattern);
        region = side.region();
        again = world.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        regionToDeregister =
                world.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        narrow = world.await(domain.register(memory, 0, 10L * CELL, AccessFlags.LOCAL_AND_REMOTE));
        readable = world.await(domain.register(memory, Access.REMOTE_READ));
        foreign = world.await(
                context.allocatePd().register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        if (world.watch() != Watch.NOBODY) {
            world.guard(adapter, PROCESS, memory);
        }
    }

    /** Returns this side as one end of a connection. */
    Half half() {
        return Half.on(side);
    }

    LocalSlice source(int cell, int bytes) {
        return region.slice((long) cell * CELL, bytes);
    }

    LocalSlice target(int cell, int bytes) {
        return region.slice(TARGETS + (long) cell * CELL, bytes);
    }

    RemoteAddress remoteTarget(int cell) {
        return region.remote(TARGETS + (long) cell * CELL);
    }

    LocalSlice receive(int number) {
        return region.slice(RECEIVES + (long) RECEIVE * (number % CELLS), RECEIVE);
    }

    Receive receiveOf(int number) {
        return Receive.of(number, receive(number));
    }

    /** Returns a receive large enough for any message from the sources; such receives overlap. */
    Receive longReceive(int number) {
        return Receive.of(number, region.slice(RECEIVES, RECEIVE * CELLS));
    }

    RemoteAddress remoteSource(int cell) {
        return region.remote((long) cell * CELL);
    }

    /** Returns a completion queue whose entries are polled immediately and ignored. */
    CompletionQueue polledCq(int entries) {
        CompletionQueue queue = world.await(context.createCq(entries));
        queue.completions().subscribe(Subscribers.forEach(completion -> {}, reason -> {}));
        return queue;
    }

    /** Returns the destination of an atomic's result: the area of a receive that this side does not post. */
    LocalSlice result(int number) {
        return region.slice(receive(number).address() - region.address(), Long.BYTES);
    }

    /** Returns a word for atomics, under the first or the second key of the memory. */
    RemoteAddress word(int number, boolean otherKey) {
        return (otherKey ? again : region).remote(WORDS + 8L * (number % WORD_COUNT));
    }

    byte[] sourceBytes(int cell, int bytes) {
        return memory.read((long) cell * CELL, bytes);
    }

    byte[] targetBytes(int cell, int bytes) {
        return memory.read(TARGETS + (long) cell * CELL, bytes);
    }
}
