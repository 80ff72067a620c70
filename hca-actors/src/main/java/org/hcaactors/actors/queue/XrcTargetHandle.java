// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpSnapshot;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.XrcTarget;
import org.jspecify.annotations.Nullable;

/** One of the handles of an XRC target. */
final class XrcTargetHandle implements XrcTarget, ActorHandle {
    private final WorkQueues queues;
    private final XrcTargetRefs share;
    private final EventSink events;
    private final Consumer<XrcTarget> onClosed;
    private @Nullable CompletionStage<Void> closing;

    /**
     * @param events of the handle's context
     * @param onClosed called when the handle is closed
     */
    XrcTargetHandle(WorkQueues queues, XrcTargetRefs share, EventSink events, Consumer<XrcTarget> onClosed) {
        this.queues = queues;
        this.share = share;
        this.events = events;
        this.onClosed = onClosed;
    }

    @Override
    public int number() {
        return queues.number();
    }

    @Override
    public Gid gid() {
        return queues.gid();
    }

    @Override
    public QpState state() {
        return queues.state();
    }

    @Override
    public CompletionStage<Void> modify(QpModify change) {
        return begin(Verb.MODIFY_QP, () -> queues.commands().modify(change));
    }

    @Override
    public CompletionStage<QpSnapshot> query() {
        return begin(Verb.QUERY_QP, queues.commands()::query);
    }

    private synchronized <T> CompletionStage<T> begin(Verb verb, Supplier<CompletionStage<T>> rest) {
        return closing == null
                ? events.verbs().begin(verb, queues.commandSender(), rest)
                : CompletableFuture.failedStage(VerbsException.invalid("this handle of " + queues + " is closed"));
    }

    @Override
    public CompletionStage<Void> destroy() {
        return leave(queues.commands()::destroy);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return leave(queues.commands()::flushAndDestroy);
    }

    private synchronized CompletionStage<Void> leave(Supplier<CompletionStage<Void>> end) {
        if (closing != null) {
            return closing;
        }
        return events.verbs().begin(Verb.DESTROY_QP, queues.commandSender(), false, () -> {
            closing = share.leave(events, end).thenRun(() -> onClosed.accept(this));
            return closing;
        });
    }

    @Override
    public CommandSender<?> commandSender() {
        return queues.commandSender();
    }

    @Override
    public String describe() {
        return queues.describe();
    }

    @Override
    public String toString() {
        return queues.toString();
    }
}
