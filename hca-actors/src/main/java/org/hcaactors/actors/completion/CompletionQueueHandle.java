// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.actors.completion.CompletionQueueActor.Command;
import org.hcaactors.actors.service.Services;
import org.hcaactors.actors.stage.ActorHandle;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.completion.CompletionQueueMachine;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.CqChecks;
import org.hcaactors.adapter.completion.CqTrace;
import org.hcaactors.adapter.completion.CqUser;
import org.hcaactors.adapter.completion.Cqe;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.page.AllocatedPages;
import org.hcaactors.adapter.page.PageHolder;
import org.hcaactors.adapter.stage.VerbCalls;
import org.hcaactors.adapter.stream.FlowOutlet;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CompletionReader;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.PageLayout;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** Handle of a completion queue. */
public final class CompletionQueueHandle implements CompletionQueue, ActorHandle, PageHolder {
    private final String adapter;
    private final int number;

    @MutationPoint("completion-queue-handle.door")
    private final CommandSender<Command> commandSender;

    private final SubmittedBatches submitted = new SubmittedBatches();
    private final CompletionQueueMachine machine;
    private final CqTrace trace;
    private final Reports reports;
    private final Services services;
    private final VerbCalls verbs;
    private volatile boolean subscribed;
    private volatile @Nullable Supplier<VerbsException> inError;
    private final int shard;
    private final int entryBytes;
    private volatile int capacity;
    private volatile AllocatedPages buffer;

    CompletionQueueHandle(
            int number,
            CompletionQueueBlueprint blueprint,
            int capacity,
            CompletionQueueMachine machine,
            Services services,
            CommandSender<Command> commandSender) {
        this.adapter = services.adapter();
        this.machine = machine;
        this.services = services;
        this.trace = new CqTrace(services.trace(), number);
        this.reports = blueprint.reports();
        this.number = number;
        this.capacity = capacity;
        this.shard = blueprint.shard();
        this.entryBytes = blueprint.entryBytes();
        this.buffer = blueprint.buffer();
        this.verbs = blueprint.events().verbs();
        this.commandSender = commandSender;
    }

    public String adapter() {
        return adapter;
    }

    public ActorRef<Command> actor() {
        return commandSender.actor();
    }

    @Override
    public CommandSender<Command> commandSender() {
        return commandSender;
    }

    /**
     * Attaches a queue pair; from then on destroying the queue is refused.
     *
     * @throws org.hcaactors.api.error.VerbsException EINVAL if it is closed
     */
    @MutationPoint("completion-queue-handle.attach")
    public void attach(CqUser user) {
        if (!commandSender.tell(new CompletionQueueActor.Attach(user))) {
            throw commandSender.closedException();
        }
    }

    @MutationPoint("completion-queue-handle.detach")
    public void detach(CqUser user) {
        commandSender.actor().tell(new CompletionQueueActor.Detach(user));
    }

    /** Writes the completions of one turn of a user. */
    public void complete(Completions batch) {
        if (batch.hasStages() && !submitted.add(batch)) {
            batch.lose(stopped());
            return;
        }
        commandSender.actor().tell(new CompletionQueueActor.Completed(batch));
    }

    /** Called by the actor when it has received a batch. */
    void arrived(Completions batch) {
        if (batch.hasStages()) {
            submitted.arrived(batch);
        }
    }

    /** Called by the actor when it has stopped, closed or not. */
    void ended() {
        submitted.end(stopped());
        commandSender.shut();
    }

    private VerbsException stopped() {
        return new VerbsException(Errno.ECANCELED, describe() + " was stopped before it wrote the completion");
    }

    /** Removes the entries of that work queue; no further ones are delivered. */
    public void purge(WorkQueueFeed workQueue) {
        workQueue.withdraw();
        commandSender.actor().tell(new CompletionQueueActor.Purge(workQueue));
    }

    /** Replaces the pages and releases the old ones. */
    @MutationPoint("completion-queue-handle.resized")
    void resized(int entries, AllocatedPages larger) {
        AllocatedPages before = buffer;
        capacity = entries;
        buffer = larger;
        before.release();
    }

    /** Releases the pages; idempotent. */
    void releasePages() {
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
    public Flow.Publisher<WorkCompletion> completions(Delivery delivery) {
        boolean onAdapterThread = Objects.requireNonNull(delivery, "delivery") == Delivery.ADAPTER_THREAD;
        return commandSender.publisher(subscriber -> new CompletionQueueActor.Subscribe(
                new FlowOutlet<>(subscriber, commandSender::threw), onAdapterThread));
    }

    @Override
    public CompletionReader forEachCompletion(Delivery delivery, Consumer<? super CompletionCursor> handler) {
        boolean onAdapterThread = Objects.requireNonNull(delivery, "delivery") == Delivery.ADAPTER_THREAD;
        ReaderHandle reader = new ReaderHandle(Objects.requireNonNull(handler, "handler"), commandSender);
        track(
                new TrackedStage(() -> "reading " + describe(), () -> true),
                reader.ended().toCompletableFuture());
        commandSender
                .<Void>ask(ignored -> new CompletionQueueActor.Read(reader, onAdapterThread, ignored))
                .whenComplete((ignored, refused) -> {
                    if (refused != null) {
                        reader.failed(refused);
                    }
                });
        return reader;
    }

    @Override
    public CompletionStage<List<WorkCompletion>> poll(int max) {
        return verbs.begin(
                Verb.POLL_CQ,
                commandSender,
                () -> commandSender.ask(reply -> new CompletionQueueActor.PollOnce(max, reply)));
    }

    @Override
    public void arm(Arm what) {
        Objects.requireNonNull(what, "what");
        checkOpen(Verb.REQ_NOTIFY_CQ);
        // Recorded before the arm can fire, so that its event is later in the trace.
        trace.armed(what);
        if (machine.arm(what)) {
            reports.wake(this, trace, services);
        }
    }

    private void checkOpen(Verb verb) {
        verbs.checkOpen(verb, commandSender);
        if (commandSender.isClosed()) {
            throw commandSender.closedException();
        }
    }

    @Override
    public CompletionPoller poller() {
        return new PollerHandle(this);
    }

    /**
     * Checks a call of a poller, before it has any effect.
     *
     * @throws VerbsException EINVAL if the queue was destroyed, EIO if it is in error, EBUSY while a subscription polls
     */
    void checkPoll() {
        checkOpen(Verb.POLL_CQ);
        Supplier<VerbsException> reason = inError;
        if (reason != null) {
            throw reason.get();
        }
        if (subscribed) {
            throw CqChecks.busy(describe());
        }
    }

    /** Takes entries for a poller, on its thread; returns their number, 0 if the queue can no longer be polled. */
    int take(@Nullable Cqe[] taken, int max) {
        return commandSender.isClosed() || inError != null || subscribed ? 0 : machine.poll(taken, max, trace);
    }

    /** Passes an entry to the program. */
    void received(WorkCompletion entry) {
        services.audit().completionReceived(adapter, entry);
    }

    /** Lets a world run, which does not while a program polls; no effect elsewhere. */
    void progress(boolean again) {
        services.callers().waiting().progress(again);
    }

    /** Called by its actor in each turn. */
    void subscribed(boolean now) {
        if (subscribed != now) {
            subscribed = now;
        }
    }

    void failed(Supplier<VerbsException> reason) {
        inError = reason;
    }

    @Override
    public CompletionStage<Void> moderate(int count, Duration period) {
        return verbs.begin(
                Verb.MODIFY_CQ,
                commandSender,
                () -> commandSender.ask(reply -> new CompletionQueueActor.Moderate(count, period, reply)));
    }

    @Override
    public CompletionStage<Void> resize(int entries) {
        return verbs.begin(
                Verb.RESIZE_CQ,
                commandSender,
                () -> commandSender.ask(reply -> new CompletionQueueActor.Resize(entries, reply)));
    }

    @Override
    public CompletionStage<Void> destroy() {
        return verbs.begin(Verb.DESTROY_CQ, commandSender, this::end);
    }

    /** Destroys the queue without a verb of the program: together with its queue pair. */
    public CompletionStage<Void> end() {
        return commandSender.close(CompletionQueueActor.Destroy::new);
    }

    @Override
    public String toString() {
        return describe() + " of " + adapter + (shard == 0 ? "" : " on shard " + shard);
    }
}
