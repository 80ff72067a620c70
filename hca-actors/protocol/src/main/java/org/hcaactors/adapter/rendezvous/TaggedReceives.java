// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import java.util.Optional;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.QueuePairReceives;
import org.hcaactors.adapter.work.ReceiveParts;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Receives of a queue pair from a tag-matching queue. Each message is matched by its start. A message that must be sent
 * again is matched again, unless it has a match: that is kept for it.
 */
public final class TaggedReceives implements QueuePairReceives {
    private final TagReceiveSource queue;
    private final LocalMemory memory;
    private final Optional<Fetcher> fetcher;

    /**
     * A message with its match.
     *
     * @param whyNotFetched why a rendezvous message is left to the program, if it is
     */
    private record Matched(TagOpening opening, TagMatch match, Optional<Reason> whyNotFetched) {
        boolean isFetched() {
            return match instanceof TagMatch.Expected
                    && opening instanceof TagOpening.Rendezvous
                    && whyNotFetched.isEmpty();
        }

        // rule rendezvous-incomplete
        /** True if the receive is too small even for the rendezvous header. */
        private boolean hasNoRoom() {
            return whyNotFetched.isPresent() && match.receive().lengthBytes() < RendezvousHeader.BYTES;
        }

        // rules tag-header, rendezvous-read
        /** Number of a packet's bytes that are not written to the buffer. */
        @MutationPoint("tagged-place.given.skipped")
        int skipped(Packet packet) {
            if (isFetched() || hasNoRoom()) {
                return packet.payload().length();
            }
            boolean hasHeader =
                    match instanceof TagMatch.Expected && packet.operation().starts();
            // The packet that started the match may be followed by another one with the same PSN, of any length.
            return hasHeader ? Math.min(TagHeader.BYTES, packet.payload().length()) : 0;
        }
    }

    private @Nullable Matched next;

    /** Match of the current message. */
    private @Nullable Matched current;

    /** The program has a completion for the start of the current message. */
    private boolean announced;

    private TaggedReceives(TagReceiveSource queue, LocalMemory memory, Optional<Fetcher> fetcher) {
        this.queue = queue;
        this.memory = memory;
        this.fetcher = fetcher;
    }

    /** Creates the receives of a queue pair, which fetches by itself if it can send READs. */
    static TaggedReceives of(TagReceiveSource queue, ReceiveParts parts) {
        QpPlan plan = parts.plan();
        LocalMemory memory = parts.memoryIn(queue.domain());
        return plan.kind().canFetch()
                ? new TaggedReceives(queue, memory, Optional.of(new RendezvousFetches(queue, memory, parts)))
                : delegating(queue, memory, plan.profile().port().maxMessageBytes());
    }

    // rule rendezvous-dc
    /**
     * Creates the receives of a queue pair without requests: the shared receive queue's initiator fetches, or else the program
     * must.
     *
     * @param memory access to memory in the shared receive queue's protection domain
     * @param longest maximum message length of the adapter, in bytes
     */
    static TaggedReceives delegating(TagReceiveSource queue, LocalMemory memory, long longest) {
        return new TaggedReceives(
                queue,
                memory,
                queue.hasInitiator() ? Optional.of(new DelegatedFetcher(queue, longest)) : Optional.empty());
    }

    @Override
    public Supply supply(Packet first, Turn turn) {
        if (next != null) {
            return Supply.READY;
        }
        TagOpening opening = TagOpening.of(first);
        next = queue.match(opening, turn.cause())
                .map(match -> new Matched(opening, match, whyNotFetched(opening, match)))
                .orElse(null);
        return next == null ? Supply.EMPTY : Supply.READY;
    }

    private Optional<Reason> whyNotFetched(TagOpening opening, TagMatch match) {
        if (!(match instanceof TagMatch.Expected && opening instanceof TagOpening.Rendezvous rendezvous)) {
            return Optional.empty();
        }
        return fetcher.map(each -> each.whyNot(rendezvous, match.receive().lengthBytes()))
                .orElse(Optional.of(RendezvousFetches.NO_READS));
    }

    @Override
    public boolean hasNext() {
        return next != null;
    }

    @Override
    public Receive next() {
        return matched(next).match.receive();
    }

    private static Matched matched(@Nullable Matched what) {
        if (what == null) {
            throw new IllegalStateException("no receive was taken");
        }
        return what;
    }

    @Override
    @MutationPoint("tagged-receives.skipped")
    public int skipped(Packet packet) {
        Matched given = next != null && packet.operation().starts() ? next : current;
        return matched(given).skipped(packet);
    }

    @Override
    public void take() {
        current = next;
        next = null;
        announced = false;
    }

    // rule tag-completion
    /** A message of several packets has two completions. */
    @Override
    public void messageContinues(Turn turn) {
        Matched given = matched(current);
        if (given.match instanceof TagMatch.Expected expected && !given.isFetched() && given.whyNotFetched.isEmpty()) {
            announced = true;
            completeReceive(expected, Status.SUCCESS, TagInfo.match(info(expected.header())), 0, false, turn);
        }
    }

    private void completeReceive(
            TagMatch.Expected match, Status status, TagInfo info, long lengthBytes, boolean last, Turn turn) {
        queue.complete(match, match.completion(queuePair(), status, info, lengthBytes), last, false, turn);
    }

    private int queuePair() {
        return memory.user().queuePair();
    }

    // rules tag-unexpected, tag-untagged
    @Override
    public void completed(WorkCompletion completion, boolean solicited, @Nullable InlineData inlineData, Turn turn) {
        Matched given = matched(current);
        current = null;
        switch (given.match) {
            case TagMatch.Expected expected -> expected(given, expected, completion, solicited, turn);
            case TagMatch.Unexpected unexpected ->
                complete(
                        given,
                        as(
                                CompletionKind.TM_RECV,
                                completion,
                                TagInfo.NONE.withSyncRequested(unexpected.syncRequested())),
                        solicited,
                        turn);
            case TagMatch.Untagged untagged ->
                complete(given, as(CompletionKind.TM_NO_TAG, completion, TagInfo.NONE), solicited, turn);
            case TagMatch.Written written -> complete(given, completion, solicited, turn);
        }
    }

    // rules tag-completion, rendezvous-incomplete
    private void expected(
            Matched given, TagMatch.Expected match, WorkCompletion completion, boolean solicited, Turn turn) {
        TagInfo.Info info = info(match.header());
        if (!completion.isSuccess()) {
            complete(given, completion, solicited, turn);
        } else if (given.isFetched() && given.opening instanceof TagOpening.Rendezvous rendezvous) {
            WorkCompletion first = as(CompletionKind.TM_RECV, completion, TagInfo.match(info));
            queue.complete(match, first, false, solicited, turn);
            fetcher.orElseThrow().fetch(new FetchOrder(match, rendezvous, queuePair()), turn);
        } else if (given.whyNotFetched.isPresent()) {
            turn.notFetched(completion.workId(), given.whyNotFetched.get());
            completeReceive(
                    match, Status.TM_RNDV_INCOMPLETE, TagInfo.match(info), completion.lengthBytes(), true, turn);
        } else {
            TagInfo tagInfo = announced ? TagInfo.DATA : TagInfo.whole(info);
            complete(given, as(CompletionKind.TM_RECV, completion, tagInfo), solicited, turn);
        }
    }

    private void complete(Matched given, WorkCompletion completion, boolean solicited, Turn turn) {
        queue.complete(given.match, completion, true, solicited, turn);
    }

    private static WorkCompletion as(CompletionKind kind, WorkCompletion completion, TagInfo tagInfo) {
        return new WorkCompletion(
                completion.workId(),
                completion.status(),
                kind,
                completion.qpNumber(),
                completion.lengthBytes(),
                completion.details().with(tagInfo));
    }

    private static TagInfo.Info info(TagHeader header) {
        return new TagInfo.Info(header.tag(), header.appContext());
    }

    // rule tag-returned
    /** A message that the program knows is flushed; any other is treated as if it had not arrived. */
    @Override
    public void abandon(Receive receive, Turn turn) {
        Matched given = matched(current);
        current = null;
        if (announced && given.match instanceof TagMatch.Expected expected) {
            completeReceive(expected, Status.WR_FLUSH_ERR, TagInfo.NONE, 0, true, turn);
        } else {
            queue.putBack(given.match);
        }
    }

    @Override
    public LocalMemory memory() {
        return memory;
    }

    @Override
    public void clear(Turn turn) {
        if (next != null) {
            queue.putBack(next.match);
            next = null;
        }
    }

    @Override
    public void startFetching(Turn turn) {
        fetcher.ifPresent(each -> each.start(turn));
    }

    @Override
    public void cancelFetching(Turn turn) {
        fetcher.ifPresent(each -> each.cancel(turn));
    }

    /** A receive that waits for a tag is not flushed when a queue pair fails that has not filled it. */
    @Override
    public boolean returnsUnused() {
        return true;
    }
}
