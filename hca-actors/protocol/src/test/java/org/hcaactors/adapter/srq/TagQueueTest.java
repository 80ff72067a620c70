// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.srq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagDelete;
import org.hcaactors.api.tag.TagHandle;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.tag.TagSnapshot;
import org.hcaactors.api.tag.TagSync;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.flow.TraceSink;
import org.junit.jupiter.api.Test;

/** A tag-matching queue with its list, its other receives, and its completions. */
class TagQueueTest {
    private static final int QUEUE = 3;
    private static final int QUEUE_PAIR = 7;

    private final List<WorkCompletion> completions = new ArrayList<>();
    private final List<Completions> written = new ArrayList<>();
    private final SharedReceives receives = new SharedReceives();
    private final TagSlots slots = new TagSlots(2, 4);
    private final ReceiveSlots posted = new ReceiveSlots(4);
    private final TagQueue queue = new TagQueue(
            receives,
            posted,
            slots,
            new TagQueue.CompletionWriter(1, this::write),
            new TagTrace(QUEUE, new AdapterTrace(TraceSink.NONE, () -> 0, "a")));

    private void write(Completions batch) {
        written.add(batch);
        completions.addAll(List.of(batch.entries()));
    }

    private TagHandle add(long id, long tag) {
        return new TagHandle(
                QUEUE, queue.execute(TagAdd.of(id, Receive.of(id), tag).withSignaled()));
    }

    private Optional<TagMatch> match(long tag) {
        return queue.match(new TagOpening.Eager(TagHeader.eager(0, tag)), QUEUE_PAIR, 0);
    }

    private void post(long id) {
        assertThat(posted.take()).isTrue();
        receives.add(Receive.of(id));
    }

    /** Writes and polls the last completion of a message. */
    private void complete(TagMatch match) {
        int freed = queue.completed(match, true);
        (match instanceof TagMatch.Expected ? slots : posted).release(freed);
    }

    /** Polls all completions, which frees their slots. */
    private void poll() {
        written.forEach(batch -> {
            for (int i = 0; i < batch.size(); i++) {
                batch.take(i);
            }
        });
        written.clear();
    }

    // rules tag-operations-ordered, tag-match
    @Test
    void anAddedReceiveMatchesWhenPostingReturns() {
        add(1, 5);
        assertThat(completions).extracting(WorkCompletion::kind).containsExactly(CompletionKind.TM_ADD);
        assertThat(match(5)).map(found -> found.receive().id()).hasValue(1L);
        assertThat(match(5)).isEmpty();
    }

    // rule tag-unexpected
    @Test
    void anUnmatchedMessageTakesTheOldestOtherReceive() {
        post(8);
        post(9);
        assertThat(match(5)).hasValueSatisfying(found -> {
            assertThat(found).isInstanceOf(TagMatch.Unexpected.class);
            assertThat(found.receive().id()).isEqualTo(8);
        });
        assertThat(queue.snapshot().unexpected()).isOne();
    }

    // rules tag-returned, tag-phase
    @Test
    void anAbandonedUnexpectedMessageIsNotCounted() {
        post(8);
        post(9);
        TagMatch unexpected = match(5).orElseThrow();
        add(1, 6);
        assertThat(queue.snapshot().notMatching()).isOne();
        queue.putBack(unexpected, QUEUE_PAIR);
        assertThat(queue.snapshot()).isEqualTo(TagSnapshot.of(1));
        assertThat(receives.take()).extracting(Receive::id).isEqualTo(8L);
        assertThat(match(6)).isPresent();
    }

    // rules tag-returned, tag-delete-race
    @Test
    void aReturnedReceiveWhoseDeletionFailedIsFlushed() {
        TagHandle handle = add(1, 5);
        TagMatch match = match(5).orElseThrow();
        queue.execute(TagDelete.of(2, handle).withSignaled());
        assertThat(completions).last().extracting(WorkCompletion::status).isEqualTo(Status.TM_ERR);
        queue.putBack(match, QUEUE_PAIR);
        assertThat(completions).last().satisfies(flushed -> {
            assertThat(flushed.status()).isEqualTo(Status.WR_FLUSH_ERR);
            assertThat(flushed.workId()).isOne();
            assertThat(flushed.qpNumber()).isEqualTo(QUEUE_PAIR);
        });
        assertThat(match(5)).isEmpty();
    }

    // rule tag-list-full
    @Test
    void anEntryIsFreeAgainWhenItsMessagesCompletionIsPolled() {
        add(1, 5);
        add(2, 6);
        poll();
        assertThatThrownBy(() -> add(3, 7)).isInstanceOf(VerbsException.class).hasMessageContaining("is full");
        TagMatch match = match(5).orElseThrow();
        assertThatThrownBy(() -> add(3, 7)).isInstanceOf(VerbsException.class);
        complete(match);
        assertThat(add(3, 7).serial()).as("a refused one has no number").isEqualTo(3);
    }

    // rule tag-operations-full
    @Test
    void anUnsignaledOperationIsOverWithALaterSignaledOne() {
        for (int i = 0; i < 3; i++) {
            queue.execute(TagSync.of(i, 0));
        }
        queue.execute(TagSync.of(4, 0).withSignaled());
        assertThatThrownBy(() -> queue.execute(TagSync.of(5, 0).withSignaled())).isInstanceOf(VerbsException.class);
        poll();
        for (int i = 0; i < 4; i++) {
            queue.execute(TagSync.of(i, 0));
        }
    }

    // rule tag-phase
    @Test
    void anOperationSaysThatTheProgramShouldSynchronize() {
        post(8);
        match(5);
        add(1, 6);
        assertThat(completions)
                .last()
                .extracting(each -> each.tagging().orElseThrow().syncRequested())
                .isEqualTo(true);
        assertThat(match(6)).as("the counts differ").isEmpty();
        queue.execute(TagSync.of(2, 1));
        assertThat(match(6)).isPresent();
    }

    // rules event-crash, xrc-queue-fails
    @Test
    void nothingMatchesInAQueueInErrorButMatchesReturn() {
        add(1, 5);
        post(8);
        TagMatch match = match(5).orElseThrow();
        queue.close();
        assertThat(match(5)).isEmpty();
        assertThat(match(6)).isEmpty();
        queue.putBack(match, QUEUE_PAIR);
        assertThat(queue.snapshot().tags()).isOne();
    }
}
