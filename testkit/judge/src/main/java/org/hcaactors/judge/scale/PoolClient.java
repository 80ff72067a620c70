// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.scale;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.client.pool.DciPolicy;
import org.hcaactors.client.pool.DciPool;
import org.hcaactors.client.pool.DciPoolDescription;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.world.World;

/** A process with a pool of DC initiators, and the targets that it writes to, each on an adapter of its own. */
final class PoolClient {
    private static final long ACCESS_KEY = 0xDC;
    private static final int BYTES = 64;
    private static final int SEND_QUEUE = 32;
    private static final int MAX_COMPLETIONS = 1024;
    private static final int MAX_PAUSE_NANOS = 4_000;

    /** Oldest profile with DC streams. */
    private static final Profile PROFILE = Profile.CONNECTX_6;

    private final World world;
    private final List<Adapter> servers;
    private final List<Recipient> recipients;
    private final LocalSlice written;
    private final DciPool pool;

    private record Recipient(DcAddress address, RemoteAddress memory) {}

    /** A process with memory for local and remote use. */
    private record ProcessObjects(DeviceContext context, ProtectionDomain domain, MemoryRegion region) {}

    PoolClient(World world, int targets, int initiators, DciPolicy policy) {
        this.world = world;
        ProcessObjects own = processObjects(world.adapter("client", PROFILE));
        written = own.region().slice(0, BYTES);
        servers = IntStream.range(0, targets)
                .mapToObj(number -> world.adapter("target" + number, PROFILE))
                .toList();
        recipients = servers.stream().map(adapter -> recipient(own, adapter)).toList();
        CompletionQueue completions = world.await(own.context().createCq(MAX_COMPLETIONS));
        pool = world.await(DciPool.create(
                own.domain(),
                DciPoolDescription.DEFAULT
                        .withInitiators(initiators)
                        .withPolicy(policy)
                        .withInitiatorDescription(
                                QpDescription.dc().withSendCq(completions).withCapacity(QpCapacity.of(SEND_QUEUE)))));
    }

    private ProcessObjects processObjects(Adapter adapter) {
        HostProcess process = adapter.process("process");
        DeviceContext context = process.open();
        ProtectionDomain domain = context.allocatePd();
        HostMemory memory = process.allocate(BYTES);
        return new ProcessObjects(
                context,
                domain,
                world.await(domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE))));
    }

    private Recipient recipient(ProcessObjects client, Adapter adapter) {
        ProcessObjects server = processObjects(adapter);
        DcTargetDescription requested = DcTargetDescription.of(
                world.await(server.context().createCq(MAX_COMPLETIONS)),
                world.await(server.domain().createSrq(SrqDescription.DEFAULT)),
                DcAccessKey.of(ACCESS_KEY));
        DcTarget target = world.await(server.domain().createDcTarget(requested));
        world.await(target.open(RcConnection.DEFAULT));
        AddressHandle path = world.await(client.domain().createAddressHandle(AddressVector.to(target.gid())));
        return new Recipient(
                DcAddress.of(path, target.number(), DcAccessKey.of(ACCESS_KEY)),
                server.region().remote(0));
    }

    /** Returns the virtual nanoseconds of each request, sent one by one. */
    List<Long> askOneByOne(long seed, int operations) {
        SplittableRandom pauses = RandomStreams.of(seed, "pauses");
        List<Long> nanos = new ArrayList<>();
        for (Recipient to : order(seed, operations)) {
            nanos.add(world.await(ask(to)));
            world.runFor(Duration.ofNanos(pauses.nextInt(MAX_PAUSE_NANOS + 1)));
        }
        return nanos;
    }

    /** Returns the virtual nanoseconds of each request, including the wait in the pool. */
    List<Long> askAtOnce(long seed, int operations) {
        List<CompletionStage<Long>> answers =
                order(seed, operations).stream().map(this::ask).toList();
        return answers.stream().map(world::await).toList();
    }

    private List<Recipient> order(long seed, int operations) {
        SplittableRandom targets = RandomStreams.of(seed, "targets");
        return IntStream.range(0, operations)
                .mapToObj(number -> recipients.get(targets.nextInt(recipients.size())))
                .toList();
    }

    private CompletionStage<Long> ask(Recipient to) {
        long begun = world.now();
        return pool.submit(to.address(), RdmaWrite.of(1, written, to.memory())).thenApply(completion -> {
            if (completion.status() != Status.SUCCESS) {
                throw new IllegalStateException("not written: " + completion);
            }
            return world.now() - begun;
        });
    }

    long connects() {
        return servers.stream()
                .mapToLong(adapter -> adapter.counters().getOrDefault("rx_dct_connect", 0L))
                .sum();
    }
}
