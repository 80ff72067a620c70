// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.completion.CompletionQueueActor.Command;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.CqUser;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.PageHolder;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.adapter.stream.DeclinedSubscription;
import org.hcaactors.adapter.stream.FlowOutlet;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CompletionReader;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.mutation.MutationPoint;

/** The caller's side of a completion queue. */
public final class CompletionQueueHandle implements CompletionQueue, ActorHandle, PageHolder {
    private final String adapter;
    private final int number;

    @MutationPoint("completion-queue-handle.door")
    private final CommandSender<Command> door;

    private final VerbCalls verbs;
    private final int shard;
    private final int entryBytes;
    private volatile int capacity;
    private volatile AllocatedPages buffer;

    /** @param adapter name of the adapter that made it */
    CompletionQueueHandle(
            String adapter, int number, CompletionQueueBlueprint blueprint, int capacity, CommandSender<Command> door) {
        this.adapter = adapter;
        this.number = number;
        this.capacity = capacity;
        this.shard = blueprint.shard();
        this.entryBytes = blueprint.entryBytes();
        this.buffer = blueprint.buffer();
        this.verbs = blueprint.events().verbs();
        this.door = door;
    }

    public String adapter() {
        return adapter;
    }

    public ActorRef<Command> actor() {
        return door.actor();
    }

    @Override
    public CommandSender<Command> door() {
        return door;
    }

    /** A queue pair starts to use it; VerbsException (EINVAL) if it is closed. From then on destroying it is refused. */
    @MutationPoint("completion-queue-handle.attach")
    public void attach(CqUser user) {
        if (!door.tell(new CompletionQueueActor.Attach(user))) {
            throw door.closed();
        }
    }

    @MutationPoint("completion-queue-handle.detach")
    public void detach(CqUser user) {
        door.actor().tell(new CompletionQueueActor.Detach(user));
    }

    /** Completions of a user's turn are to be written. */
    public void complete(Completions batch) {
        door.actor().tell(new CompletionQueueActor.Completed(batch));
    }

    /** Entries of that feed leave the queue, and nothing of it is handed out any more. */
    public void purge(WorkQueueFeed workQueue) {
        workQueue.withdraw();
        door.actor().tell(new CompletionQueueActor.Purge(workQueue));
    }

    /** What it stood on goes back. */
    @MutationPoint("completion-queue-handle.resized")
    void resized(int entries, AllocatedPages larger) {
        AllocatedPages before = buffer;
        capacity = entries;
        buffer = larger;
        before.release();
    }

    /** It is gone, and its pages go back; again does nothing. */
    void gone() {
        buffer.release();
    }

    @Override
    public AllocatedPages buffer() {
        return buffer;
    }

    @Override
    public PageLayout pages() {
        return buffer.layout();
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int shard() {
        return shard;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int entryBytes() {
        return entryBytes;
    }

    @Override
    public Flow.Publisher<WorkCompletion> completions() {
        return publisher(false);
    }

    @Override
    public Flow.Publisher<WorkCompletion> completionsOnAdapterThread() {
        return publisher(true);
    }

    private Flow.Publisher<WorkCompletion> publisher(boolean onAdapterThread) {
        return subscriber -> {
            Objects.requireNonNull(subscriber, "subscriber");
            if (!door.tell(
                    new CompletionQueueActor.Subscribe(new FlowOutlet<>(subscriber, door::threw), onAdapterThread))) {
                door.callers().execute(() -> DeclinedSubscription.tell(subscriber, door.closed()));
            }
        };
    }

    @Override
    public CompletionReader forEachCompletion(Consumer<? super CompletionCursor> handler) {
        return reader(handler, false);
    }

    @Override
    public CompletionReader forEachCompletionOnAdapterThread(Consumer<? super CompletionCursor> handler) {
        return reader(handler, true);
    }

    private CompletionReader reader(Consumer<? super CompletionCursor> handler, boolean onAdapterThread) {
        ReaderHandle reader = new ReaderHandle(Objects.requireNonNull(handler, "handler"), door);
        track(new TrackedStage(() -> "reading " + describe(), () -> true), reader.ended().toCompletableFuture());
        door.<Void>ask(heard -> new CompletionQueueActor.Read(reader, onAdapterThread, heard))
                .whenComplete((heard, refused) -> {
                    if (refused != null) {
                        reader.failed(refused);
                    }
                });
        return reader;
    }

    @Override
    public CompletionStage<List<WorkCompletion>> poll(int max) {
        return verbs.begin(Verb.POLL_CQ, door, () -> door.ask(reply -> new CompletionQueueActor.PollOnce(max, reply)));
    }

    @Override
    public void arm(Arm what) {
        Objects.requireNonNull(what, "what");
        verbs.checkOpen(Verb.REQ_NOTIFY_CQ, door);
        if (!door.tell(new CompletionQueueActor.Armed(what))) {
            throw door.closed();
        }
    }

    @Override
    public CompletionStage<Void> moderate(int count, Duration period) {
        return verbs.begin(
                Verb.MODIFY_CQ, door, () -> door.ask(reply -> new CompletionQueueActor.Moderate(count, period, reply)));
    }

    @Override
    public CompletionStage<Void> resize(int entries) {
        return verbs.begin(
                Verb.RESIZE_CQ, door, () -> door.ask(reply -> new CompletionQueueActor.Resize(entries, reply)));
    }

    @Override
    public CompletionStage<Void> destroy() {
        return verbs.begin(Verb.DESTROY_CQ, door, this::end);
    }

    /** Destroys it without being asked to: with the queue pair that it goes with. */
    public CompletionStage<Void> end() {
        return door.close(CompletionQueueActor.Destroy::new);
    }

    @Override
    public String toString() {
        return describe() + " of " + adapter + (shard == 0 ? "" : " on shard " + shard);
    }
}
