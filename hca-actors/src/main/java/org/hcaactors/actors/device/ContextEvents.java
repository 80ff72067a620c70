// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.device;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Predicate;
import org.hcaactors.actors.event.EventQueueActor;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stream.DeclinedSubscription;
import org.hcaactors.api.device.AsyncEvent;

/** Asynchronous events of one context, which has its own event queue. */
final class ContextEvents {
    private final Callers callers;
    private final OpenObjects open;
    private final CompletionStage<CommandSender<EventQueueActor.Command<AsyncEvent>>> stream;

    /** @param callers of the context's process */
    ContextEvents(AdapterHandle adapter, Callers callers, OpenObjects open) {
        this.callers = callers;
        this.open = open;
        stream = adapter.commandSender().ask(reply -> new AdapterActor.OpenEvents(callers, reply));
    }

    /** Completes with the queue when it is created. */
    CompletionStage<CommandSender<EventQueueActor.Command<AsyncEvent>>> stream() {
        return stream;
    }

    void subscribe(Flow.Subscriber<? super AsyncEvent> subscriber) {
        Objects.requireNonNull(subscriber, "subscriber");
        if (open.isClosing()) {
            refuse(subscriber);
            return;
        }
        stream.thenApply(queue -> queue.tell(new EventQueueActor.Subscribe<>(subscriber)))
                .exceptionally(failure -> false)
                .thenAccept(delivered -> {
                    if (!delivered) {
                        refuse(subscriber);
                    }
                });
    }

    private void refuse(Flow.Subscriber<? super AsyncEvent> subscriber) {
        callers.execute(() -> DeclinedSubscription.decline(subscriber, open.closedException()));
    }

    CompletionStage<AsyncEvent> next() {
        return open.isClosing()
                ? CompletableFuture.failedStage(open.closedException())
                : stream.thenCompose(queue -> queue.ask(EventQueueActor.Next::new));
    }

    /** Replies when every event of that element has been acknowledged. */
    void settle(AsyncEvent.Source source, int element, Reply<Void> reply) {
        Predicate<AsyncEvent> concerned = event -> event.kind().source() == source && event.element() == element;
        stream.thenCompose(queue -> queue.<Void>pass(settled -> new EventQueueActor.Settle<>(concerned, settled)))
                .whenComplete((settled, failure) -> Reply.done(reply));
    }

    void raise(AsyncEvent event) {
        stream.thenAccept(queue -> queue.actor().tell(new EventQueueActor.Raised<>(event)));
    }
}
