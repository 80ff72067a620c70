// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.event;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.flow.EventSink;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.error.Verb;
import org.hcaactors.mutation.MutationPoint;

/**
 * Handle of a completion channel.
 *
 * @param adapter name of its adapter
 * @param owner its context
 */
public record CompletionChannelHandle(
        String adapter, EventSink owner, CommandSender<EventQueueActor.Command<CompletionQueue>> commandSender)
        implements CompletionChannel, ActorHandle {
    @Override
    public Flow.Publisher<CompletionQueue> wakeups() {
        return commandSender.publisher(EventQueueActor.Subscribe::new);
    }

    @Override
    public CompletionStage<CompletionQueue> next() {
        return owner.verbs()
                .begin(Verb.GET_CQ_EVENT, commandSender, () -> commandSender.ask(EventQueueActor.Next::new));
    }

    @Override
    public CompletionStage<Void> destroy() {
        return owner.verbs()
                .begin(
                        Verb.DESTROY_COMP_CHANNEL,
                        commandSender,
                        () -> commandSender.close(EventQueueActor.Destroy::new));
    }

    /**
     * Attaches a completion queue.
     *
     * @throws org.hcaactors.api.error.VerbsException EINVAL if the channel is closed
     */
    @MutationPoint("completion-channel-handle.attach")
    public void attach() {
        if (!commandSender.tell(new EventQueueActor.Users<>(1))) {
            throw commandSender.closedException();
        }
    }

    /** Detaches a completion queue. */
    @MutationPoint("completion-channel-handle.detach")
    public void detach() {
        commandSender.actor().tell(new EventQueueActor.Users<>(-1));
    }

    public void wake(CompletionQueue queue) {
        commandSender.actor().tell(new EventQueueActor.Raised<>(queue));
    }

    /** Called when the queue is destroyed. Completes when none of its wake-ups is unacknowledged. */
    public CompletionStage<Void> settle(CompletionQueue queue) {
        return commandSender.pass(reply -> new EventQueueActor.Settle<>(each -> each == queue, reply));
    }

    @Override
    public String toString() {
        return describe() + " of " + adapter;
    }
}
