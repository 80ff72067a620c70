// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RdmaWrite;

/**
 * Destroys an object while another is created on it at the same instant: exactly one of the two may succeed, and a created
 * object works.
 */
final class ObjectDestroyRaces implements Workload {
    private final SweepContext sweep;
    private final SplittableRandom random;
    private final DeviceContext context;
    private final ProtectionDomain domain;
    private int number;

    ObjectDestroyRaces(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("crossing queues");
        SweepNode site = random.nextBoolean() ? sweep.a() : sweep.b();
        context = site.adapter.process("crossing").open();
        domain = context.allocatePd();
    }

    @Override
    public void step() {
        ReceiveWaves.quietly(this::cross);
    }

    private void cross() {
        switch (random.nextInt(4)) {
            case 0 ->
                awaited(context.createCq(1 + random.nextInt(7)), cq -> {
                    crossed(
                            cq,
                            cq::destroy,
                            () -> domain.createQp(QpDescription.rc().withSendCq(cq)),
                            this::use);
                });
            case 1 ->
                awaited(domain.createSrq(SrqDescription.of(4).withMaxSge(1)), srq -> {
                    crossed(
                            srq,
                            srq::destroy,
                            () -> domain.createQp(QpDescription.rc().withSrq(srq)),
                            this::use);
                });
            case 2 ->
                awaited(context.createChannel(), channel -> {
                    CqDescription reporting = CqDescription.of(3).withChannel(channel);
                    crossed(channel, channel::closeAsync, () -> context.createCq(reporting), CompletionQueue::destroy);
                });
            default -> {
                ProtectionDomain own = context.allocatePd();
                if (random.nextBoolean()) {
                    crossed(own, own::closeAsync, () -> own.createQp(QpDescription.rc()), this::use);
                } else {
                    crossed(
                            own,
                            own::closeAsync,
                            () -> own.createSrq(SrqDescription.of(4).withMaxSge(1)),
                            srq -> srq.destroy());
                }
            }
        }
    }

    private <T> void awaited(CompletionStage<T> made, Consumer<T> then) {
        sweep.promises().verb("create", made.thenAccept(then));
    }

    /** Destroys the one and creates the other, in either order, without waiting in between. */
    private <T extends Handle> void crossed(
            Handle used,
            Supplier<CompletionStage<Void>> ending,
            Supplier<CompletionStage<T>> creation,
            Function<T, CompletionStage<?>> use) {
        Crossed<T> both =
                random.nextBoolean() ? Crossed.endFirst(ending, creation) : Crossed.createFirst(ending, creation);
        CompletionStage<Void> ended = both.ended;
        CompletionStage<T> created = both.created;
        String what = "crossing " + ++number + ", " + used.describe();
        PendingStages promises = sweep.promises();
        promises.verb(what + " ends", ended, Errno.EBUSY);
        promises.verb(what + " is used", created, Errno.EINVAL);
        promises.verb(
                what + " during its use",
                succeeds(ended).thenCombine(succeeds(created), (end, creates) -> exactlyOne(what, end, creates)));
        created.thenAccept(object -> promises.verb(what + ": use", use.apply(object)));
    }

    private static boolean exactlyOne(String what, boolean ends, boolean creates) {
        if (ends && creates) {
            throw new AssertionError(what + ": it was destroyed, but an object that was created on it exists");
        }
        return ends;
    }

    private static CompletionStage<Boolean> succeeds(CompletionStage<?> stage) {
        return stage.handle((done, failed) -> failed == null);
    }

    private record Crossed<T>(CompletionStage<Void> ended, CompletionStage<T> created) {
        static <T> Crossed<T> endFirst(Supplier<CompletionStage<Void>> ending, Supplier<CompletionStage<T>> creation) {
            CompletionStage<Void> ended = ending.get();
            return new Crossed<>(ended, creation.get());
        }

        static <T> Crossed<T> createFirst(
                Supplier<CompletionStage<Void>> ending, Supplier<CompletionStage<T>> creation) {
            CompletionStage<T> created = creation.get();
            return new Crossed<>(ending.get(), created);
        }
    }

    /** Connects the queue pair to itself, sends a message of no bytes, and destroys it. */
    private CompletionStage<Void> use(RcQueuePair qp) {
        RcConnection attributes = sweep.patient(random).withFirstPsn(number);
        CompletionStage<Void> ready = qp.connect(context.adapter().gid(), qp.number(), attributes);
        return sweep.promises()
                .verb("connect " + qp.describe() + " to itself", ready)
                .thenCompose(done -> written(qp))
                .thenCompose(done -> qp.destroy());
    }

    private CompletionStage<WorkCompletion> written(RcQueuePair qp) {
        CompletionStage<WorkCompletion> end = qp.submit(RdmaWrite.of(1, List.of(), new RemoteAddress(0, 0)));
        sweep.promises().life("crossing queues").add("WRITE of nothing", end, () -> {});
        return end;
    }
}
