package org.hcaactors.adapter.completion;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.completion.CompletionQueueActor.Command;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;

/**
 * The caller's side of a completion queue.
 *
 * @param adapter name of the adapter that made it
 * @param callers where stages complete
 */
public record CompletionQueueHandle(String adapter, int number, int capacity, ActorRef<Command> actor, Executor callers)
        implements CompletionQueue {
    @Override
    public Flow.Publisher<WorkCompletion> completions() {
        return publisher(false);
    }

    @Override
    public Flow.Publisher<WorkCompletion> completionsOnShard() {
        return publisher(true);
    }

    private Flow.Publisher<WorkCompletion> publisher(boolean onShard) {
        return subscriber -> {
            Objects.requireNonNull(subscriber, "subscriber");
            actor.tell(new CompletionQueueActor.Subscribe(subscriber, onShard));
        };
    }

    @Override
    public CompletionStage<Void> destroy() {
        Reply<Void> reply = new Reply<>(callers);
        actor.tell(new CompletionQueueActor.Destroy(reply));
        return reply.stage();
    }
}
