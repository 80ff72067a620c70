// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.lab.world.Watch;
import org.hcaactors.lab.world.World;

/** A process of a node with memory of its own and a DC target, which it may replace. */
final class DcTargetProcess {
    /** Maximum size of one message. */
    static final int CELL = 1600;

    static final int CELLS = 24;
    static final long KEY = 0x0DC0_5EED_0DC0_5EEDL;
    private static final int PLACES = 64;
    private static final long RECEIVES = (long) CELL * CELLS;
    private static final long WORD = RECEIVES + (long) CELL * PLACES;
    private static final int ENTRIES = 400;

    final Adapter node;
    final HostMemory memory;
    final List<AsyncEvent> events = new ArrayList<>();

    /** True if a peer may find no free responder even without faults. */
    final boolean isTight;

    private final World world;
    private final PendingStages promises;
    private final String name;
    private final MemoryRegion region;
    private final ProtectionDomain domain;
    private final CompletionQueue completions;
    private final SharedReceiveQueue queue;
    private final UnaryOperator<DcTargetDescription> requested;
    private final int source;

    /** The GID that peers address. */
    final Gid at;

    private final RcConnection attributes;
    private final BiConsumer<DcTargetProcess, WorkCompletion> delivered;
    private final Set<Integer> numbers = new LinkedHashSet<>();
    private DcTarget target;
    private long posted;

    /**
     * Properties of one target process: its node, and the responders it reserves.
     *
     * @param source index in its port's GID table that it answers from
     */
    record Kind(Adapter node, String name, boolean isTight, UnaryOperator<DcTargetDescription> requested, int source) {
        Kind(Adapter node, String name, boolean isTight, UnaryOperator<DcTargetDescription> requested) {
            this(node, name, isTight, requested, 0);
        }
    }

    /**
     * Creates the process and its target.
     *
     * @param delivered consumer of each message that arrived
     */
    DcTargetProcess(
            SweepContext sweep,
            Kind kind,
            RcConnection attributes,
            BiConsumer<DcTargetProcess, WorkCompletion> delivered) {
        world = sweep.world();
        promises = sweep.promises();
        this.delivered = delivered;
        this.attributes = attributes;
        node = kind.node;
        name = kind.name;
        isTight = kind.isTight;
        requested = kind.requested;
        source = kind.source;
        at = node.port(1).gid(source);
        HostProcess process = node.process(name);
        DeviceContext context = process.open();
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
        queue = world.await(domain.createSrq(SrqDescription.of(PLACES).withMaxSge(1)));
        target = made();
    }

    private DcTarget made() {
        DcTarget made = world.await(domain.createDcTarget(
                requested.apply(DcTargetDescription.of(completions, queue, DcAccessKey.of(KEY)))));
        world.await(made.modify(attributes.toInit()).thenCompose(init -> made.modify(toAnswer())));
        numbers.add(made.number());
        return made;
    }

    private QpModify toAnswer() {
        return QpModify.to(
                QpState.RTR,
                new QpAttribute.MinRnrTimer(attributes.minRnrTimerCode()),
                new QpAttribute.Av(AddressVector.to(GlobalRoute.to(at).withSourceGidIndex(source))),
                new QpAttribute.Mtu(attributes.mtu()));
    }

    int number() {
        return target.number();
    }

    /** True if the number is that of its current or an earlier target. */
    boolean had(int number) {
        return numbers.contains(number);
    }

    /** Creates a target with another number and destroys the current one, which drains. */
    void renew() {
        promises.verb(name + ": destroy", target.destroy());
        target = made();
    }

    void arm() {
        promises.verb(name + ": arm", target.armKeyViolation(), Errno.EIO);
    }

    /** Posts one receive more if the queue has a free slot. */
    void receive() {
        ReceiveWaves.quietly(() -> {
            queue.postReceive(Receive.of(posted, region.slice(place(posted), CELL)));
            posted++;
        });
    }

    private static long place(long id) {
        return RECEIVES + CELL * (id % PLACES);
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

    /** Returns the sum of all values added. */
    long sum() {
        return memory.readLong(WORD);
    }

    @Override
    public String toString() {
        return name;
    }
}
