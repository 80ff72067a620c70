// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.SrqDescription;

/**
 * Closes a context, or lets its process exit, while objects are created in it at the same instant: each creation is refused, or
 * its object is closed with the context, and closing it once more does nothing.
 */
final class ContextCloseRaces implements Workload {
    private static final int MAX_BESIDE = 6;

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final SweepNode site;
    private int number;

    ContextCloseRaces(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("crossing contexts");
        site = random.nextBoolean() ? sweep.a() : sweep.b();
    }

    @Override
    public void step() {
        ReceiveWaves.quietly(this::cross);
    }

    private void cross() {
        HostProcess process = site.adapter.process("closing " + random.nextInt(2));
        DeviceContext context = process.open();
        HostMemory memory = process.allocate(64);
        ProtectionDomain domain = context.allocatePd();
        boolean exits = random.nextInt(3) == 0;
        String what = "context " + ++number + (exits ? ", whose process exits" : ", which is closed");
        List<CompletionStage<? extends Handle>> created = new ArrayList<>();
        create(what, context, domain, memory, created);
        if (random.nextInt(3) == 0) {
            sweep.world().settle();
        }
        CompletionStage<?> end = exits ? process.exit() : context.closeAsync();
        create(what, context, domain, memory, created);
        sweep.promises().verb(what, end.thenCompose(done -> afterTheEnd(what, context, created)));
    }

    private void create(
            String what,
            DeviceContext context,
            ProtectionDomain domain,
            HostMemory memory,
            List<CompletionStage<? extends Handle>> created) {
        for (int i = random.nextInt(MAX_BESIDE); i > 0; i--) {
            Supplier<CompletionStage<? extends Handle>> creation = any(context, domain, memory);
            ReceiveWaves.quietly(() -> {
                CompletionStage<? extends Handle> stage = creation.get();
                created.add(stage);
                sweep.promises().verb(what + ": create", stage, Errno.EINVAL);
            });
        }
    }

    private Supplier<CompletionStage<? extends Handle>> any(
            DeviceContext context, ProtectionDomain domain, HostMemory memory) {
        return switch (random.nextInt(6)) {
            case 0 -> () -> context.createCq(3);
            case 1 -> context::createChannel;
            case 2 -> () -> domain.register(Registration.of(memory).withAccess(AccessFlags.LOCAL_AND_REMOTE));
            case 3 -> () -> domain.createSrq(SrqDescription.of(2).withMaxSge(1));
            case 4 ->
                () -> domain.createAddressHandle(
                        AddressVector.to(sweep.b().adapter.gid()));
            default -> () -> domain.createQp(QpDescription.rc());
        };
    }

    /** Checks that the context has no objects left, and that closing one of them again does nothing and completes. */
    private CompletionStage<?> afterTheEnd(
            String what, DeviceContext context, List<CompletionStage<? extends Handle>> created) {
        if (!context.openObjects().isEmpty()) {
            throw new AssertionError(what + ": closed, but it still has open objects: " + context.openObjects());
        }
        CompletionStage<?> all = context.closeAsync();
        for (CompletionStage<? extends Handle> each : created) {
            CompletionStage<Void> again = each.thenCompose(Handle::closeAsync);
            sweep.promises().verb(what + ": second close", again, Errno.EINVAL);
        }
        try {
            context.allocatePd();
            throw new AssertionError(what + ": closed, but a domain was allocated in it afterwards");
        } catch (VerbsException refused) {
            return all;
        }
    }
}
