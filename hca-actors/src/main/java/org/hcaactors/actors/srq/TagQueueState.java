// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import java.util.Optional;
import org.hcaactors.actors.completion.CompletionQueueHandle;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.srq.ReceiveSlots;
import org.hcaactors.adapter.srq.SharedReceives;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.adapter.srq.TagSlots;
import org.hcaactors.adapter.srq.UnconfirmedReceives;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagMatcher;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.tag.TagOperation;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.jspecify.annotations.Nullable;

/**
 * Additional state of a tag-matching queue: executes the operations on its list, and writes the completions of operations and
 * messages, so that all are in one order. Not thread-safe; used on its queue's thread.
 */
final class TagQueueState {
    /** Completions of operations have no queue pair: they belong to the queue. */
    private static final int NO_QUEUE_PAIR = 0;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final @Nullable Reply<WorkCompletion>[] NO_STAGES = new Reply[0];

    private final TagMatcher matcher = new TagMatcher();
    private final SharedReceives receives;
    private final TagSlots slots;
    private final CompletionQueueHandle completions;
    private final WorkQueueFeed listed;
    private final WorkQueueFeed posted;

    /** Operations that ended without a completion; their slots are freed by the next one that has a completion. */
    private int unsignaled;

    private final TagTrace trace;

    private final UnconfirmedReceives<TagMatch> unconfirmed = new UnconfirmedReceives<>();

    /** @param posted owner of the slots of receives that are not in the list */
    TagQueueState(SharedReceives receives, ReceiveSlots posted, TagQueueParts tags, TagTrace trace) {
        this.receives = receives;
        this.trace = trace;
        slots = tags.slots();
        completions = tags.queue();
        listed = new WorkQueueFeed(slots);
        this.posted = new WorkQueueFeed(posted);
    }

    // rule tag-operations-ordered
    void carryOut(TagOperation operation, long serial) {
        TagMatcher.Done done = matcher.carryOut(operation, serial);
        long event = trace.carriedOut(operation, serial, done, matcher);
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
        write(completion, listed, freed, false);
    }

    private static CompletionKind kindOf(TagOperation operation) {
        return switch (operation) {
            case TagAdd add -> CompletionKind.TM_ADD;
            case TagDelete delete -> CompletionKind.TM_DEL;
            case TagSync sync -> CompletionKind.TM_SYNC;
        };
    }

    /** Matches a message; empty if there is no receive for it. */
    Optional<TagMatch> match(SharedReceiveActor.Find find) {
        Optional<TagMatch> match = match(find.opening());
        match.ifPresentOrElse(
                found -> {
                    unconfirmed.granted(find.user(), found);
                    trace.matched(found, find.queuePair(), find.cause());
                },
                () -> unconfirmed.forget(find.user()));
        return match;
    }

    // rule tag-returned
    /** Returns the match that the user has not processed; the user may be gone before the answer arrives. */
    void withdraw(SrqUser user, int queuePair) {
        unconfirmed.withdraw(user).ifPresent(match -> putBack(match, queuePair));
    }

    void removeUser(SrqUser user) {
        unconfirmed.forget(user);
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

    // rule tag-returned
    /** Undoes a match: the message on that queue pair will not arrive. */
    void putBack(TagMatch match, int queuePair) {
        if (match instanceof TagMatch.Expected expected && !matcher.takeBack(expected.entry())) {
            completeFlushed(expected, queuePair);
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

    // rule tag-delete-race
    private void completeFlushed(TagMatch.Expected match, int queuePair) {
        WorkCompletion completion = match.completion(queuePair, Status.WR_FLUSH_ERR, TagInfo.NONE, 0);
        trace.completed(0, completion, completions.number());
        complete(match, completion, true, false);
    }

    /** @param last the message is complete */
    void complete(TagMatch match, WorkCompletion completion, boolean last, boolean solicited) {
        if (match instanceof TagMatch.Expected expected) {
            if (last) {
                matcher.finished(expected.entry());
            }
            write(completion, listed, last ? TagSlots.PLACE : 0, solicited);
        } else {
            write(completion, posted, 1, solicited);
        }
    }

    private void write(WorkCompletion completion, WorkQueueFeed workQueue, int freed, boolean solicited) {
        completions.complete(new Completions(
                new WorkCompletion[] {completion}, workQueue, new int[] {freed}, NO_STAGES, new boolean[] {solicited}));
    }

    TagSnapshot snapshot() {
        return matcher.snapshot();
    }
}
