// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import java.util.Optional;
import java.util.function.Consumer;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.SlotOwner;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.tag.TagEntry;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagMatcher;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.tag.TagOperation;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Tag list of a shared receive queue, with the queue's other receives. It writes the completions of operations; queue pairs
 * write those of messages into the same completion queue (rule tag-srq). Programs post operations on their threads, and each
 * queue pair matches in the turn of its message. Any thread: calls hold a short lock and wait for nothing else. Events are
 * recorded under the lock, so that they are in the order of the list.
 */
public final class TagQueue {
    /** Completions of operations have no queue pair: they belong to the queue. */
    private static final int NO_QUEUE_PAIR = 0;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final @Nullable Reply<WorkCompletion>[] NO_STAGES = new Reply[0];

    private static final boolean[] UNSOLICITED = {};

    private final TagMatcher matcher = new TagMatcher();
    private final SharedReceives receives;
    private final TagSlots slots;
    private final CompletionWriter completions;
    private final WorkQueueFeed listed;
    private final WorkQueueFeed posted;
    private final TagTrace trace;

    /** Serial number of the last added receive. */
    private long serials;

    /** Operations that ended without a completion; their slots are freed by the next one that has a completion. */
    private int unsignaled;

    private boolean closed;

    /**
     * Writer into the completion queue of operations and messages. Any thread; it waits for nothing.
     *
     * @param number number of the completion queue
     */
    public record CompletionWriter(int number, Consumer<Completions> queue) {
        private void write(WorkCompletion completion, WorkQueueFeed workQueue, int freed) {
            queue.accept(new Completions(
                    new WorkCompletion[] {completion}, workQueue, new int[] {freed}, NO_STAGES, UNSOLICITED));
        }
    }

    /** @param posted owner of the slots of receives that are not in the list */
    public TagQueue(
            SharedReceives receives, SlotOwner posted, TagSlots slots, CompletionWriter completions, TagTrace trace) {
        this.receives = receives;
        this.slots = slots;
        this.completions = completions;
        this.trace = trace;
        listed = new WorkQueueFeed(slots);
        this.posted = new WorkQueueFeed(posted);
    }

    public TagSlots slots() {
        return slots;
    }

    // rules tag-operations-ordered, tag-operations-full, tag-list-full
    /**
     * Executes an operation.
     *
     * @return serial number of the added receive, if one is added
     * @throws VerbsException ENOMEM, and nothing is changed, if too many operations are outstanding or the list is full
     */
    public long execute(TagOperation operation) {
        slots.take(operation instanceof TagAdd ? TagSlots.OPERATION + TagSlots.PLACE : TagSlots.OPERATION);
        synchronized (this) {
            long serial = operation instanceof TagAdd ? ++serials : 0;
            TagMatcher.Done done = matcher.carryOut(operation, serial);
            complete(operation, done, trace.carriedOut(operation, serial, done, matcher));
            return serial;
        }
    }

    @MutationPoint("tag-queue.complete")
    private void complete(TagOperation operation, TagMatcher.Done done, long event) {
        int freed = done.removed().isPresent() ? TagSlots.PLACE : 0;
        if (!operation.signaled()) {
            unsignaled++;
            slots.release(freed);
            return;
        }
        freed += (unsignaled + 1) * TagSlots.OPERATION;
        unsignaled = 0;
        WorkCompletion completion = new WorkCompletion(
                operation.id(),
                done.found() ? Status.SUCCESS : Status.TM_ERR,
                kindOf(operation),
                NO_QUEUE_PAIR,
                0,
                WorkCompletion.Details.NONE.with(TagInfo.NONE.withSyncRequested(done.syncRequested())));
        trace.completed(event, completion, completions.number());
        completions.write(completion, listed, freed);
    }

    private static CompletionKind kindOf(TagOperation operation) {
        return switch (operation) {
            case TagAdd add -> CompletionKind.TM_ADD;
            case TagDelete delete -> CompletionKind.TM_DEL;
            case TagSync sync -> CompletionKind.TM_SYNC;
        };
    }

    /**
     * Matches a message; empty if there is no receive for it, and after {@link #close}.
     *
     * @param queuePair number of the queue pair of the message
     * @param cause id of the event of its arrival
     */
    public synchronized Optional<TagMatch> match(TagOpening opening, int queuePair, long cause) {
        Optional<TagMatch> match = closed ? Optional.empty() : match(opening);
        match.ifPresent(found -> trace.matched(found, queuePair, cause));
        return match;
    }

    private Optional<TagMatch> match(TagOpening opening) {
        return switch (opening) {
            case TagOpening.Eager eager -> match(eager.header());
            case TagOpening.Rendezvous rendezvous -> match(rendezvous.header());
            case TagOpening.NoTag none -> taken().map(TagMatch.Untagged::new);
            case TagOpening.Write write -> taken().map(TagMatch.Written::new);
        };
    }

    private Optional<TagMatch> match(TagHeader header) {
        Optional<TagMatch> expected = matcher.match(header.tag()).map(entry -> new TagMatch.Expected(entry, header));
        return expected.or(() -> taken().map(receive -> new TagMatch.Unexpected(receive, header, matcher.deliver())));
    }

    private Optional<Receive> taken() {
        return Optional.ofNullable(receives.take());
    }

    // rules tag-returned, tag-delete-race
    /** Undoes a match: the message on that queue pair will not arrive. */
    public synchronized void putBack(TagMatch match, int queuePair) {
        if (match instanceof TagMatch.Expected expected && !matcher.takeBack(expected.entry())) {
            WorkCompletion completion = expected.completion(queuePair, Status.WR_FLUSH_ERR, TagInfo.NONE, 0);
            trace.completed(0, completion, completions.number());
            completions.write(completion, listed, TagSlots.PLACE);
            return;
        }
        trace.returned(match);
        switch (match) {
            case TagMatch.Expected expected -> {}
            case TagMatch.Unexpected unexpected -> {
                matcher.undeliver();
                receives.putBack(unexpected.receive());
            }
            case TagMatch.Untagged untagged -> receives.putBack(untagged.receive());
            case TagMatch.Written written -> receives.putBack(written.receive());
        }
    }

    /** Returns the work queue of a match, whose slots the completions of its message free. */
    public WorkQueueFeed workQueue(TagMatch match) {
        return match instanceof TagMatch.Expected ? listed : posted;
    }

    /**
     * A completion of the message is written; returns the number of slots that it frees.
     *
     * @param last the message is complete
     */
    public int completed(TagMatch match, boolean last) {
        if (!(match instanceof TagMatch.Expected expected)) {
            return 1;
        }
        if (last) {
            finish(expected.entry());
        }
        return last ? TagSlots.PLACE : 0;
    }

    private synchronized void finish(TagEntry entry) {
        matcher.finished(entry);
    }

    /** The queue is in error: no message matches any more. */
    public synchronized void close() {
        closed = true;
    }

    public synchronized TagSnapshot snapshot() {
        return matcher.snapshot();
    }
}
