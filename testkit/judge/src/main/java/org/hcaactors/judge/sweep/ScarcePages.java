// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.FreeMemory;
import org.hcaactors.api.device.HostMachine;
import org.hcaactors.api.device.MemoryNode;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.api.memory.PageType;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;

// rules pages-fallback, pages-freed
/**
 * Queues and regions on a host with little, fragmented memory: of every page type and size, and refused if a forced type is not
 * available. A peer writes to allocated regions, and at the end the host has all its memory back.
 */
final class ScarcePages implements Workload {
    private static final String PROCESS = "scarce";
    private static final List<String> TYPES =
            List.of("ANON", "huge", "CONTIG", "Prefer_Contig", "PREFER_HUGE", "ALL", "nonsense", "");

    private static final int MAX = 10;
    private static final long NODE_PAGES = 96;

    /** A handle, and the context that opened it. */
    private record Held(Opened by, Handle handle) {}

    /**
     * An open context.
     *
     * @param variables its process environment
     */
    private record Opened(DeviceContext context, ProtectionDomain domain, Map<String, String> variables) {}

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final Adapter adapter;
    private final Renewable connection;
    private final ProtectionDomain written;
    private final List<FreeMemory> atFirst;
    private final List<Held> held = new ArrayList<>();
    private Opened now;
    private int acts;

    ScarcePages(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("scarce pages");
        HostMachine machine = HostMachine.DEFAULT
                .withNodes(node(), node())
                .withDeviceNode(random.nextInt(2))
                .withProcessorNode(random.nextInt(2))
                .withContiguousPages(random.nextInt(5) > 0);
        adapter = sweep.world()
                .network()
                .addAdapter("scarce", SweepContext.profile(random), LinkProperties.IDEAL, machine);
        Side side = Side.of(sweep.world().network(), adapter, PROCESS, SweepNode.CELL);
        written = side.domain();
        connection =
                new Renewable(sweep, "scarce pages", random, sweep.a().half(), Half.on(side), sweep.patient(random));
        now = open();
        atFirst = adapter.freeMemory();
    }

    private MemoryNode node() {
        return MemoryNode.of((NODE_PAGES + random.nextInt(64)) << PageLayout.MIN_ORDER)
                .withLargestFreeOrder(PageLayout.MIN_ORDER + random.nextInt(8))
                .withHugePages(random.nextInt(2));
    }

    private Opened open() {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String of : List.of("MLX_QP", "MLX_CQ", "MLX_MR")) {
            variables.put(of + "_ALLOC_TYPE", TYPES.get(random.nextInt(TYPES.size())));
            variables.put(of + "_MAX_LOG2_CONTIG_BSIZE", Integer.toString(13 + random.nextInt(11)));
            variables.put(of + "_MIN_LOG2_CONTIG_BSIZE", Integer.toString(12 + random.nextInt(2)));
        }
        DeviceContext context = adapter.process(PROCESS).open(variables);
        return new Opened(context, context.allocatePd(), variables);
    }

    @Override
    public void step() {
        acts++;
        switch (random.nextInt(9)) {
            case 0, 1 -> allocate();
            case 2 -> create("completion queue", now.context.createCq(1 + random.nextInt(2000)), "MLX_CQ");
            case 3 -> create("queue pair", queuePair(), "MLX_QP");
            case 4 -> change();
            case 5 -> map();
            case 6 -> reopen();
            default -> write();
        }
        while (held.size() > MAX) {
            close(held.remove(random.nextInt(held.size())));
        }
    }

    private CompletionStage<? extends QueuePair> queuePair() {
        QpCapacity capacity = QpCapacity.of(1 + random.nextInt(64)).withMaxInlineBytes(random.nextInt(128));
        return random.nextBoolean()
                ? now.domain.createQp(QpDescription.rc().withCapacity(capacity))
                : now.domain.createQp(QpDescription.ud().withCapacity(capacity));
    }

    private void allocate() {
        create("region", written.context().equals(now.context) ? region(written) : region(now.domain), "MLX_MR");
    }

    private CompletionStage<MemoryRegion> region(ProtectionDomain domain) {
        return domain.register(Registration.allocated(bytes()).withAccess(AccessFlags.LOCAL_AND_REMOTE));
    }

    private long bytes() {
        return 1 + random.nextInt(1 << 12 + random.nextInt(6));
    }

    private void create(String what, CompletionStage<? extends Handle> creation, String prefix) {
        Opened by = now;
        sweep.promises()
                .verb(
                        "a " + what + " by " + by.variables,
                        creation.thenAccept(made -> {
                            judge(pages(made), by.variables.getOrDefault(prefix + "_ALLOC_TYPE", ""));
                            held.add(new Held(by, made));
                        }),
                        Errno.ENOMEM,
                        // Its context was closed meanwhile, or its adapter can't allocate memory at registration.
                        Errno.EINVAL,
                        Errno.EOPNOTSUPP);
    }

    private static PageLayout pages(Handle made) {
        return switch (made) {
            case CompletionQueue queue -> queue.pages();
            case QueuePair pair -> pair.pages();
            case MemoryRegion region -> region.pages();
            default -> throw new IllegalArgumentException(made + " has no pages");
        };
    }

    /** Checks that a forced page type was used. */
    private void judge(PageLayout got, String requested) {
        boolean forced = requested.equals("ANON") || requested.equals("CONTIG");
        boolean reads = adapter.profile().memory().has(Feature.ALLOCATION);
        if (reads && forced && got.type() != PageType.valueOf(requested)) {
            throw new AssertionError("page type " + requested + " was forced, but the object has " + got);
        }
    }

    private void change() {
        if (held.isEmpty()) {
            return;
        }
        Handle any = held.get(random.nextInt(held.size())).handle;
        if (any instanceof CompletionQueue queue) {
            verb("resize", queue.resize(1 + random.nextInt(4000)));
        } else if (any instanceof MemoryRegion region) {
            Reregistration other =
                    Reregistration.of(Change.TRANSLATION).withTranslation(Registration.allocated(bytes()));
            verb("re-register", region.reregister(other));
        }
    }

    private void verb(String what, CompletionStage<?> stage) {
        sweep.promises().verb("scarce pages: " + what, stage, Errno.ENOMEM, Errno.EINVAL, Errno.EOPNOTSUPP);
    }

    private void map() {
        try {
            held.add(new Held(now, adapter.process(PROCESS).allocate(bytes())));
        } catch (VerbsException full) {
            if (full.errno() != Errno.ENOMEM) {
                throw new AssertionError(
                        "an allocation of memory was refused with " + full + ", but only ENOMEM is allowed", full);
            }
        }
    }

    private void reopen() {
        Opened before = now;
        held.removeIf(each -> each.by.equals(before) && !(each.handle instanceof HostMemory));
        sweep.promises().verb("close of a scarce context", before.context.closeAsync());
        now = open();
    }

    private void close(Held one) {
        verb("close", one.handle.closeAsync());
    }

    private void write() {
        if (connection.isLost()) {
            return;
        }
        CompletionStage<MemoryRegion> registered = region(written);
        sweep.promises()
                .verb(
                        "registration of a region that is written",
                        registered.thenAccept(this::writeInto),
                        Errno.ENOMEM,
                        Errno.EINVAL,
                        Errno.EOPNOTSUPP);
    }

    private void writeInto(MemoryRegion region) {
        if (sweep.world().watch() != Watch.NOBODY) {
            sweep.world().guard(adapter, PROCESS, region.memory());
        }
        int bytes = (int) Math.min(region.lengthBytes(), SweepNode.CELL);
        RdmaWrite write = RdmaWrite.of(
                acts,
                sweep.a().source(acts % SweepNode.CELLS, bytes),
                region.remote(random.nextLong(region.lengthBytes() - bytes + 1)));
        CompletionStage<WorkCompletion> done = connection.local().submit(write);
        connection.life().add("write " + acts, done, () -> {});
        sweep.promises()
                .verb(
                        "deregistration of a written region",
                        done.handle((ended, lost) -> region).thenCompose(MemoryRegion::deregister));
    }

    @Override
    public void finish() {
        connection.life().mayFailWith(Status.REM_ACCESS_ERR, Status.RETRY_EXC_ERR);
    }

    @Override
    public void close() {
        sweep.promises().verb("close of the last scarce context", now.context.closeAsync());
        held.stream().filter(each -> each.handle instanceof HostMemory).forEach(this::close);
    }

    @Override
    public void atRest() {
        List<FreeMemory> left = adapter.freeMemory();
        if (sweep.severity() != FaultSeverity.DISASTER && !left.equals(atFirst)) {
            throw new AssertionError("the host has " + left + " free after the run, but had " + atFirst + " before it");
        }
    }
}
