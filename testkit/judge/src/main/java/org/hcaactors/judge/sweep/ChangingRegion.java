// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.capability.MemoryCapabilities.Feature;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.memory.Reregistration;
import org.hcaactors.api.memory.Reregistration.Change;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.world.Watch;

/**
 * A region that is reregistered under its peer's traffic: other memory, another address, another domain, other rights, some of
 * these together, and occasionally in a way that is refused. Memory that it no longer covers can be unmapped at once.
 */
final class ChangingRegion implements Workload {
    /** Seven pages; the other size is twice as large, which exceeds what the first key can map. */
    private static final long BYTES = 16L * SweepNode.CELL;

    private static final long ELSEWHERE = 0x5000_0000_0000L;
    private static final int ONE_IN = 5;

    private final SweepContext sweep;
    private final SweepNode site;
    private final SplittableRandom random;
    private final Renewable connection;
    private final ProtectionDomain foreign;
    /** Region that READs write to. */
    private final MemoryRegion scratch;

    private Optional<MemoryRegion> region = Optional.empty();
    private Optional<HostMemory> left = Optional.empty();
    private int acts;
    private int untilNext;

    ChangingRegion(SweepContext sweep) {
        this.sweep = sweep;
        site = sweep.b();
        random = sweep.random("changing region");
        foreign = site.context.allocatePd();
        HostMemory here = sweep.a().adapter.process(SweepNode.PROCESS).allocate(SweepNode.CELL);
        scratch = sweep.world().await(sweep.a().domain.register(here, Access.LOCAL_WRITE));
        connection =
                new Renewable(sweep, "changing region", random, sweep.a().half(), site.half(), sweep.patient(random));
        begin();
    }

    private void begin() {
        untilNext = 5 + random.nextInt(15);
        HostMemory memory;
        try {
            memory = memory(BYTES);
            region = Optional.of(sweep.world().await(site.domain.register(place(memory))));
            left = Optional.of(memory);
        } catch (VerbsException refused) {
            region = Optional.empty();
        }
    }

    private HostMemory memory(long bytes) {
        HostMemory memory = site.adapter.process(SweepNode.PROCESS).allocate(bytes);
        if (sweep.world().watch() != Watch.NOBODY) {
            sweep.world().guard(site.adapter, SweepNode.PROCESS, memory);
        }
        return memory;
    }

    private Registration place(HostMemory memory) {
        Registration whole = Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE);
        return switch (random.nextInt(4)) {
            case 0, 1 -> whole.withAddress(ELSEWHERE);
            case 2 -> whole.withZeroBased();
            default -> whole;
        };
    }

    @Override
    public void step() {
        if (untilNext-- == 0) {
            end();
            connection.renew(sweep.patient(random));
            begin();
        }
        if (connection.isLost() || region.isEmpty()) {
            return;
        }
        acts++;
        if (random.nextInt(ONE_IN) == 0) {
            change(region.get());
        }
        RcWork work = work(region.get());
        connection
                .life()
                .add(
                        work.getClass().getSimpleName() + " " + acts,
                        connection.local().submit(work),
                        () -> {});
    }

    /** Deregisters the region and unmaps its memory, whatever the state of both. */
    private void end() {
        region.ifPresent(old -> {
            // Requests in progress may arrive after the deregistration.
            connection.life().mayFailWith(Status.REM_ACCESS_ERR, Status.RETRY_EXC_ERR);
            CompletionStage<Void> deregistered = sweep.promises().verb("deregister", old.deregister());
            left.ifPresent(
                    memory -> sweep.promises().verb("unmap", deregistered.thenCompose(done -> memory.closeAsync())));
        });
        region = Optional.empty();
    }

    private void change(MemoryRegion old) {
        // A READ may be executed twice and be refused the second time (rules rc-read-now, rc-ghost).
        connection.life().mayFailWith(Status.REM_ACCESS_ERR, Status.RETRY_EXC_ERR);
        Set<Change> changes = EnumSet.noneOf(Change.class);
        for (Change each : Change.values()) {
            boolean can = each != Change.TRANSLATION
                    || site.adapter.profile().memory().has(Feature.REREGISTRATION_OF_TRANSLATION);
            if (can && random.nextBoolean()) {
                changes.add(each);
            }
        }
        boolean wrong = changes.isEmpty();
        AccessFlags rights = random.nextBoolean()
                ? AccessFlags.LOCAL_AND_REMOTE
                : AccessFlags.of(Access.LOCAL_WRITE, Access.values()[1 + random.nextInt(3)]);
        Reregistration requested = Reregistration.of(changes.toArray(Change[]::new))
                .withDomain(random.nextBoolean() ? site.domain : foreign)
                .withAccess(rights);
        Optional<HostMemory> next = changes.contains(Change.TRANSLATION)
                ? Optional.of(memory(BYTES << random.nextInt(2)))
                : Optional.empty();
        CompletionStage<Void> done = sweep.promises()
                .verb(
                        "re-register " + changes,
                        old.reregister(next.map(memory -> requested.withTranslation(place(memory)))
                                .orElse(requested)),
                        // Also if an earlier one was wrong.
                        Errno.EINVAL);
        if (next.isPresent()) {
            HostMemory before = left.orElseThrow();
            left = next;
            if (random.nextBoolean()) {
                leave(done, before);
            }
        }
    }

    /** Unmaps the memory that the region no longer covers. Memory that stays is guarded until the end. */
    private void leave(CompletionStage<Void> done, HostMemory before) {
        done.whenComplete((made, refused) -> {
            if (refused == null) {
                sweep.promises().verb("unmap", before.closeAsync());
            }
        });
    }

    private RcWork work(MemoryRegion now) {
        int bytes = 1 + random.nextInt(SweepNode.CELL);
        long at = 8L * random.nextInt((int) (BYTES - SweepNode.CELL) / 8);
        RemoteAddress remote = now.remote(at);
        SweepNode a = sweep.a();
        return switch (random.nextInt(3)) {
            case 0 -> RdmaWrite.of(acts, a.source(acts % SweepNode.CELLS, bytes), remote);
            case 1 -> RdmaRead.of(acts, scratch.slice(0, bytes), remote);
            default -> FetchAdd.of(acts, scratch.slice(0, Long.BYTES), remote, 1);
        };
    }

    @Override
    public void finish() {
        end();
    }
}
