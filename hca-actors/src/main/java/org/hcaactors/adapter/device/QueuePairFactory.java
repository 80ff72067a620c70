package org.hcaactors.adapter.device;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.hcaactors.adapter.completion.CompletionQueueHandle;
import org.hcaactors.adapter.queue.WorkQueues;
import org.hcaactors.adapter.srq.SharedReceiveHandle;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpBuilder;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QueuePair;
import org.hcaactors.fabric.packet.TransportClass;

/** Checks the description of a queue pair, makes the completion queue that it does not name, and has the adapter make it. */
record QueuePairFactory(int domain, ContextHandle context) {
    <Q extends QueuePair> CompletionStage<Q> create(
            TransportClass transport, QpBuilder<Q> wanted, Function<WorkQueues, Q> form) {
        return create(transport, wanted).thenApply(queues -> {
            Q handle = form.apply(queues);
            context.open().add(handle, OpenObjects.Kind.QUEUE_PAIR, domain);
            queues.whenGone(() -> context.open().remove(handle));
            return handle;
        });
    }

    private CompletionStage<WorkQueues> create(TransportClass transport, QpBuilder<?> wanted) {
        try {
            QpCapacity capacity = rounded(wanted.capacity());
            Optional<SharedReceiveHandle> srq = wanted.sharedReceives().map(queue -> own(queue, transport));
            return wanted.sendQueue()
                    .map(named -> create(transport, wanted, capacity, srq, named))
                    .orElseGet(() -> ownQueue(capacity)
                            .thenCompose(own -> withOwn(own, create(transport, wanted, capacity, srq, own))));
        } catch (VerbsException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }

    private CompletionStage<CompletionQueue> ownQueue(QpCapacity capacity) {
        int entries = Math.max(1, capacity.maxSendWr() + capacity.maxRecvWr());
        return context.createCq(Math.min(entries, limits().maxCqe()));
    }

    /** A completion queue that nobody named goes with its queue pair, or with the attempt to make that. */
    private CompletionStage<WorkQueues> withOwn(CompletionQueue own, CompletionStage<WorkQueues> creation) {
        return creation.whenComplete((queues, refused) -> {
            if (refused == null) {
                queues.whenGone(() -> discard(own));
            } else {
                discard(own);
            }
        });
    }

    /** Where the program made another queue pair on it, it is the program's, and stays open. */
    private void discard(CompletionQueue own) {
        context.open().remove(own);
        own.destroy().exceptionally(busy -> {
            context.open().add(own, OpenObjects.Kind.COMPLETION_QUEUE, OpenObjects.NO_DOMAIN);
            return null;
        });
    }

    private CompletionStage<WorkQueues> create(
            TransportClass transport,
            QpBuilder<?> wanted,
            QpCapacity capacity,
            Optional<SharedReceiveHandle> srq,
            CompletionQueue send) {
        CompletionQueue receive = wanted.receiveQueue().orElse(send);
        if (!(send instanceof CompletionQueueHandle sendCq)
                || !(receive instanceof CompletionQueueHandle recvCq)
                || !sendCq.adapter().equals(context.adapter().name())
                || !recvCq.adapter().equals(context.adapter().name())) {
            return CompletableFuture.failedStage(VerbsException.invalid(
                    "a completion queue of another adapter; " + context.adapter() + " uses its own"));
        }
        return context.create(reply -> new AdapterActor.CreateQp(
                transport,
                domain,
                capacity,
                wanted.options(),
                sendCq,
                recvCq,
                srq,
                context.processHandle().space(),
                context,
                reply));
    }

    private SharedReceiveHandle own(Object queue, TransportClass transport) {
        if (!(queue instanceof SharedReceiveHandle srq)
                || !srq.adapter().equals(context.adapter().name())) {
            throw VerbsException.invalid(
                    "a shared receive queue of another adapter; " + context.adapter() + " uses its own");
        }
        if (transport == TransportClass.UC) {
            throw VerbsException.invalid("UC takes no shared receive queue; RC and UD do");
        }
        return srq;
    }

    private Profile.Limits limits() {
        return context.adapter().profile().limits();
    }

    /** Queue lengths are powers of two, as mlx5 makes them, or 0: a queue pair without that queue. */
    private QpCapacity rounded(QpCapacity wanted) {
        Profile.Limits limits = limits();
        return new QpCapacity(
                powerOfTwo("maxSendWr", wanted.maxSendWr(), limits.maxQpWr()),
                powerOfTwo("maxRecvWr", wanted.maxRecvWr(), limits.maxQpWr()),
                within("maxSendSge", wanted.maxSendSge(), 0, limits.maxSge()),
                within("maxRecvSge", wanted.maxRecvSge(), 0, limits.maxSge()),
                within("maxInlineBytes", wanted.maxInlineBytes(), 0, limits.maxInlineBytes()));
    }

    static int powerOfTwo(String what, int wanted, int most) {
        within(what, wanted, 0, most);
        int floor = Integer.highestOneBit(wanted);
        return floor == wanted ? floor : floor << 1;
    }

    static int within(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw VerbsException.invalid(what + " is " + value + "; " + least + " to " + most + " is allowed");
        }
        return value;
    }
}
