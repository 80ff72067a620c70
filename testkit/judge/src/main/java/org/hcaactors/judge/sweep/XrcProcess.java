// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;

/** A process of a node with memory of its own and two shared receive queues that peers name, which it may replace. */
final class XrcProcess {
    /** Maximum size of one message. */
    static final int CELL = 1600;

    static final int CELLS = 24;
    static final int PLACES = 64;
    private static final long RECEIVES = (long) CELL * CELLS;
    private static final int QUEUES = 2;
    private static final long WORD = RECEIVES + (long) CELL * PLACES * QUEUES;
    private static final int ENTRIES = 400;

    final HostProcess process;
    final DeviceContext context;
    final XrcDomain shared;
    final HostMemory memory;
    final MemoryRegion region;
    final List<AsyncEvent> events = new ArrayList<>();
    private final World world;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final BiConsumer<XrcProcess, WorkCompletion> delivered;

    /** By work id of a receive: the number of its queue. */
    private final Map<Long, Integer> postedTo = new LinkedHashMap<>();

    private final List<SharedReceiveQueue> queues = new ArrayList<>();
    private boolean exited;
    private long posted;

    /**
     * Creates the process and its queues.
     *
     * @param delivered consumer of each message that arrived
     */
    XrcProcess(
            World world,
            Adapter node,
            String name,
            XrcDomainDescription requested,
            BiConsumer<XrcProcess, WorkCompletion> delivered) {
        this.world = world;
        this.delivered = delivered;
        process = node.process(name);
        context = process.open();
        context.asyncEvents().subscribe(Subscribers.forEach(events::add, reason -> {}));
        domain = context.allocatePd();
        memory = process.allocate(WORD + Long.BYTES);
        region = world.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE)));
        if (world.watch() != Watch.NOBODY) {
            world.guard(node, name, memory);
        }
        completions = world.await(context.createCq(ENTRIES));
        completions
                .completions()
                .subscribe(Subscribers.forEach(completion -> this.delivered.accept(this, completion), reason -> {}));
        shared = world.await(context.openXrcDomain(requested));
        for (int i = 0; i < QUEUES; i++) {
            queues.add(newQueue());
        }
    }

    private SharedReceiveQueue newQueue() {
        SrqDescription<SharedReceiveQueue> size = SrqDescription.of(PLACES).withMaxSge(1);
        return world.await(domain.createSrq(size.withXrc(shared, completions)));
    }

    /** Returns the numbers of its queues. */
    List<Integer> queues() {
        return queues.stream().map(SharedReceiveQueue::number).toList();
    }

    /** Replaces a queue by one with another number. */
    void renew(int number) {
        int at = queues().indexOf(number);
        world.await(queues.get(at).destroy());
        queues.set(at, newQueue());
    }

    /** Posts one receive more to each queue with a free slot. */
    void receive() {
        queues.forEach(queue -> ReceiveWaves.quietly(() -> {
            long id = posted;
            queue.postReceive(Receive.of(id, region.slice(place(id), CELL)));
            postedTo.put(id, queue.number());
            posted++;
        }));
    }

    private static long place(long id) {
        return RECEIVES + CELL * (id % (PLACES * QUEUES));
    }

    /**
     * Returns the queue that a message arrived at, by its receive; empty if no such receive was posted or it has completed
     * before.
     */
    Optional<Integer> queueOf(long workId) {
        return Optional.ofNullable(postedTo.remove(workId));
    }

    byte[] received(long workId, int bytes) {
        return memory.read(place(workId), bytes);
    }

    RemoteAddress remoteCell(int number) {
        return region.remote((long) number * CELL);
    }

    byte[] cellBytes(int number, int bytes) {
        return memory.read((long) number * CELL, bytes);
    }

    RemoteAddress remoteWord() {
        return region.remote(WORD);
    }

    /** Marks the process as exited: its objects must not be used. */
    void exits() {
        exited = true;
    }

    boolean hasExited() {
        return exited;
    }

    /** True if it received the event at least once. */
    boolean hasReceived(AsyncEvent event) {
        return events.contains(event);
    }
}
