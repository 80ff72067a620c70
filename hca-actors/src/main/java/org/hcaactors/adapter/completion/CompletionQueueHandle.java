package org.hcaactors.adapter.completion;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.adapter.completion.CompletionQueueActor.Command;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;

/** The caller's side of a completion queue. */
public final class CompletionQueueHandle implements CompletionQueue {
    private final String adapter;
    private final int number;
    private final ActorRef<Command> actor;
    private final Executor callers;
    private volatile int capacity;

    /**
     * @param adapter name of the adapter that made it
     * @param callers where stages complete
     */
    CompletionQueueHandle(String adapter, int number, int capacity, ActorRef<Command> actor, Executor callers) {
        this.adapter = adapter;
        this.number = number;
        this.capacity = capacity;
        this.actor = actor;
        this.callers = callers;
    }

    public String adapter() {
        return adapter;
    }

    public ActorRef<Command> actor() {
        return actor;
    }

    void resized(int entries) {
        capacity = entries;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int capacity() {
        return capacity;
    }

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
    public CompletionStage<List<WorkCompletion>> poll(int most) {
        Reply<List<WorkCompletion>> reply = new Reply<>(callers);
        actor.tell(new CompletionQueueActor.PollOnce(most, reply));
        return reply.stage();
    }

    @Override
    public void arm(Arm what) {
        Objects.requireNonNull(what, "what");
        actor.tell(new CompletionQueueActor.Armed(what));
    }

    @Override
    public CompletionStage<Void> moderate(int count, Duration period) {
        Reply<Void> reply = new Reply<>(callers);
        actor.tell(new CompletionQueueActor.Moderate(count, period, reply));
        return reply.stage();
    }

    @Override
    public CompletionStage<Void> resize(int entries) {
        Reply<Void> reply = new Reply<>(callers);
        actor.tell(new CompletionQueueActor.Resize(entries, reply));
        return reply.stage();
    }

    @Override
    public CompletionStage<Void> destroy() {
        Reply<Void> reply = new Reply<>(callers);
        actor.tell(new CompletionQueueActor.Destroy(reply));
        return reply.stage();
    }

    @Override
    public String toString() {
        return adapter + "/cq" + number;
    }
}
