// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.actors.dctarget.DcTargetBlueprint;
import org.hcaactors.actors.queue.FillChecks;
import org.hcaactors.actors.queue.QueuePairBlueprint;
import org.hcaactors.actors.queue.QueuePairLinks;
import org.hcaactors.actors.queue.ReceiveLink;
import org.hcaactors.actors.queue.WorkQueues;
import org.hcaactors.actors.srq.SharedReceiveHandle;
import org.hcaactors.actors.srq.TagChecks;
import org.hcaactors.actors.srq.TagQueueHandle;
import org.hcaactors.adapter.audit.ObjectKind;
import org.hcaactors.adapter.dc.Dc;
import org.hcaactors.adapter.dc.DcResponderKind;
import org.hcaactors.adapter.inline.InlineGrant;
import org.hcaactors.adapter.inline.ProcessMemory;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.stage.StageOutcome;
import org.hcaactors.adapter.state.QueuePairKinds;
import org.hcaactors.adapter.work.QueuePairKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Placement;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Factory of queue pairs: checks the description, creates a completion queue if none is given, and sends the blueprint to the
 * adapter.
 */
record QueuePairFactory(int domain, ContextHandle context, ProcessMemory memory, LatestWiring latest) {
    QueuePairFactory(int domain, ContextHandle context) {
        this(
                domain,
                context,
                new ProcessMemory(context.processName(), context.space(), context.foreign()),
                new LatestWiring());
    }

    /** Cache of the latest {@link QueuePairLinks}, shared by consecutive queue pairs with equal ones. Any thread. */
    static final class LatestWiring {
        private volatile @Nullable QueuePairLinks last;

        QueuePairLinks same(QueuePairLinks requested) {
            QueuePairLinks known = last;
            if (known != null && known.equals(requested)) {
                return known;
            }
            last = requested;
            return requested;
        }
    }

    <Q extends QueuePair> CompletionStage<Q> create(QpDescription<Q> requested) {
        return context.creating(
                domain,
                () -> make(requested)
                        .thenApply(queues -> context.track(
                                queues.as(requested.kind()), queues.commandSender(), ObjectKind.QUEUE_PAIR, domain)));
    }

    /**
     * Creates a DC target.
     *
     * @throws VerbsException EOPNOTSUPP if the adapter has no DC; EINVAL for queues of another context, or if all responders
     *     are spared
     */
    CompletionStage<DcTarget> createTarget(DcTargetDescription requested) {
        Dc.checkSupported(profile());
        checkSpared(requested);
        QueuePairLinks links = new QueuePairLinks(
                Optional.empty(),
                Optional.of(require(requested.cq())),
                ReceiveLink.to(require(requested.srq(), new DcResponderKind())),
                memory,
                context.adapter().keys(),
                context.adapter().numbers(),
                context);
        return context.make(new DcTargetBlueprint(requested, domain, links))
                .thenApply(made -> context.track(made, ObjectKind.QUEUE_PAIR, domain));
    }

    // rule dc-cnak
    /** A target that spares all its responders would answer every CONNECT with CNAK. */
    private void checkSpared(DcTargetDescription requested) {
        int all = profile().dynamicallyConnected().responders();
        int max = Math.min(all, requested.maxResponders().orElse(all));
        if (requested.reservedResponders() >= max) {
            throw VerbsException.invalid(
                    "the number of reserved responders is %d, and the target has at most %d; 0 to %d is allowed"
                            .formatted(requested.reservedResponders(), max, max - 1));
        }
    }

    private CompletionStage<WorkQueues> make(QpDescription<?> requested) {
        QueuePairKind kind = QueuePairKinds.of(requested.type());
        kind.check(requested.options(), profile());
        FillChecks.check(kind, requested.options(), profile());
        QpCapacity capacity = QueuePairBlueprint.rounded(requested.capacity(), profile());
        Optional<SharedReceiveHandle> srq = requested.srq().map(queue -> require(queue, kind));
        Optional<CompletionQueueHandle> send = requested.sendCq().map(this::require);
        Optional<CompletionQueueHandle> receive = requested.recvCq().map(this::require);
        if (send.isPresent()) {
            checkPlacement(requested.placement(), send.get());
            return create(requested, kind, capacity, srq, send.get(), receive.orElse(send.get()));
        }
        return implicitQueue(capacity, requested.effectivePlacement())
                .thenCompose(made -> closedWith(
                        made,
                        () -> create(requested, kind, capacity, srq, require(made), receive.orElse(require(made)))));
    }

    private static void checkPlacement(Placement requested, CompletionQueueHandle sends) {
        if (requested != Placement.Chosen.UNSPECIFIED && !requested.equals(new Placement.On(sends.shard()))) {
            throw VerbsException.invalid(
                    "a queue pair" + requested.text() + ", can't be created: its sends complete on " + sends.describe()
                            + ", which is on shard " + sends.shard() + ", and both must be on one shard");
        }
    }

    private CompletionStage<CompletionQueue> implicitQueue(QpCapacity capacity, Placement placement) {
        int entries = Math.max(1, capacity.maxSendWr() + capacity.maxRecvWr());
        CqDescription own =
                CqDescription.of(Math.min(entries, profile().completions().maxEntries()));
        return context.createCq(own.withPlacement(placement));
    }

    /** A completion queue created implicitly is closed with its queue pair, or when creating that fails. */
    private CompletionStage<WorkQueues> closedWith(
            CompletionQueue made, Supplier<CompletionStage<WorkQueues>> creation) {
        return attempt(creation).whenComplete((queues, refused) -> {
            if (refused == null) {
                queues.whenClosed(() -> discard(made));
            } else {
                discard(made);
            }
        });
    }

    private static CompletionStage<WorkQueues> attempt(Supplier<CompletionStage<WorkQueues>> creation) {
        try {
            return creation.get();
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    /** Closes it; if the program created another queue pair on it, it stays open and belongs to the program. */
    @MutationPoint("queue-pair-factory.discard")
    private void discard(CompletionQueue made) {
        context.open().closeBegun(made);
        CompletionQueueHandle.class.cast(made).end().exceptionally(busy -> {
            context.open().closeRefused(made);
            return null;
        });
    }

    private CompletionStage<WorkQueues> create(
            QpDescription<?> requested,
            QueuePairKind kind,
            QpCapacity capacity,
            Optional<SharedReceiveHandle> srq,
            CompletionQueueHandle send,
            CompletionQueueHandle receive) {
        context.verbs().check(Verb.CREATE_QP);
        InlineGrant grant = InlineGrant.of(
                requested, kind.inlineUses(), profile(), context.variables(), receive.entryBytes(), send.entryBytes());
        AllocatedPages buffer =
                context.pages().take(kind.buffer(), QueuePairBlueprint.bufferBytes(kind, capacity, srq.isPresent()));
        QueuePairLinks links = new QueuePairLinks(
                Optional.of(send),
                Optional.of(receive),
                srq.map(ReceiveLink::to).orElse(ReceiveLink.OWN),
                memory,
                context.adapter().keys(),
                context.adapter().numbers(),
                context);
        QueuePairBlueprint blueprint = new QueuePairBlueprint(
                kind, domain, grant.in(capacity), requested.options(), latest.same(links), buffer);
        return StageOutcome.undone(context.make(blueprint), buffer::release);
    }

    private CompletionQueueHandle require(CompletionQueue queue) {
        return context.require(queue, CompletionQueueHandle.class, "completion queue");
    }

    private SharedReceiveHandle require(SharedReceiveQueue queue, QueuePairKind kind) {
        if (queue instanceof TagQueueHandle) {
            TagChecks.checkTransport(kind, profile());
            return context.require(queue, TagQueueHandle.class, "shared receive queue")
                    .queue();
        }
        QueuePairBlueprint.checkShares(kind);
        return require(queue);
    }

    // rule xrc-srq
    private SharedReceiveHandle require(SharedReceiveQueue queue) {
        SharedReceiveHandle own = context.require(queue, SharedReceiveHandle.class, "shared receive queue");
        if (own.isNamed()) {
            throw VerbsException.invalid(own.describe()
                    + " belongs to XRC: requests name it, and no queue pair or DC target can take receives from it");
        }
        return own;
    }

    private Profile profile() {
        return context.profile();
    }
}
