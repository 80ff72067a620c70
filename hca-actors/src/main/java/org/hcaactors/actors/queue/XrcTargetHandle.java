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
    private final Consumer<XrcTarget> gone;
    private @Nullable CompletionStage<Void> leaving;

    /**
     * @param events of the handle's context
     * @param gone called when the handle is closed
     */
    XrcTargetHandle(WorkQueues queues, XrcTargetRefs share, EventSink events, Consumer<XrcTarget> gone) {
        this.queues = queues;
        this.share = share;
        this.events = events;
        this.gone = gone;
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
        return asking(Verb.MODIFY_QP, () -> queues.door().modify(change));
    }

    @Override
    public CompletionStage<QpSnapshot> query() {
        return asking(Verb.QUERY_QP, queues.door()::query);
    }

    private synchronized <T> CompletionStage<T> asking(Verb verb, Supplier<CompletionStage<T>> rest) {
        return leaving == null
                ? events.verbs().begin(verb, queues.gate(), rest)
                : CompletableFuture.failedStage(VerbsException.invalid("this handle of " + queues + " is closed"));
    }

    @Override
    public CompletionStage<Void> destroy() {
        return leave(queues.door()::destroy);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return leave(queues.door()::flushAndDestroy);
    }

    private synchronized CompletionStage<Void> leave(Supplier<CompletionStage<Void>> end) {
        if (leaving != null) {
            return leaving;
        }
        return events.verbs().begin(Verb.DESTROY_QP, queues.gate(), false, () -> {
            leaving = share.leave(events, end).thenRun(() -> gone.accept(this));
            return leaving;
        });
    }

    @Override
    public CommandSender<?> door() {
        return queues.gate();
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
