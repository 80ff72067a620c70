// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.hcaactors.api.handle.Handle;
import org.hcaactors.api.memory.PageLayout;

/**
 * A bounded ring of completions ({@code ibv_cq}). Demand is polling: {@code request(n)} takes up to n entries out, never
 * more. A subscriber that stops asking lets the ring fill, and a full ring is what it is on hardware: the queue is in
 * error, CQ_ERR is raised, and its queue pairs go to ERR with QP_FATAL.
 *
 * <p>An entry's place in the ring, and the slots that it frees in its send or receive queue, are free when it is handed
 * out, before {@code onNext} runs: who posts again in there needs no longer ring and no longer queue than who polls. Of a
 * queue pair that was reset or destroyed, nothing is handed out any more.
 *
 * <p>One subscription or {@link CompletionReader} polls at a time; a second is refused with EBUSY, a subscriber through {@code
 * onError} and a reader through {@link CompletionReader#ended}. Cancelling stops polling and loses nothing. When the queue is in
 * error or destroyed, {@code onError} or {@code onComplete} follows, and a reader ends.
 *
 * <p>{@link #poll}, {@link #arm} and the {@link CompletionChannel} are the raw verbs, for those who test a loop of their
 * own.
 *
 * <p>Threads: any; stages and subscribers run on the callers' executor. Limits: the entries, vectors and moderation
 * of the profile's {@link org.hcaactors.api.capability.CompletionCapabilities}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface CompletionQueue extends Handle {
    int number();

    /** Entries the ring holds: the next power of two above what was asked for, less one, as mlx5 gives. */
    int capacity();

    /** Of each entry: 64 or 128. */
    int entryBytes();

    /**
     * The shard of its network on which it lives, from 0, and with it the queue pairs whose send completions it takes. A queue pair
     * may have its receive completions on another one: it works, and each of their messages wakes another thread.
     *
     * <p>A peer on another shard answers READs as fast as it can: of those under way, up to {@code max_rd_atomic} messages as a whole
     * may stand in the heap until this shard's thread takes them.
     */
    int shard();

    /** The pages that the ring stands on, as {@code MLX_CQ_ALLOC_TYPE} has it; after a resize, others. */
    PageLayout pages();

    /** Completions delivered on the caller's executor; the subscriber may block without stalling the adapter. */
    Flow.Publisher<WorkCompletion> completions();

    /**
     * Completions delivered on the adapter's own thread, that of its shard, about twice as fast. The caller promises that neither the
     * subscriber nor anything it calls ever blocks: a blocked subscriber here stalls the adapter.
     */
    Flow.Publisher<WorkCompletion> completionsOnAdapterThread();

    /**
     * Polls by the batch, for a handler on the callers' executor: up to 256 entries for one wake-up, shown one after the
     * other by one cursor. The handler may block, and what comes meanwhile fills the ring. It shares with subscriptions that one polls at a
     * time, that entries come once and in order, and when their places and slots are free. Refusals end the reader.
     */
    CompletionReader forEachCompletion(Consumer<? super CompletionCursor> handler);

    /**
     * The same on the adapter's own thread. The caller promises that neither the handler nor anything it calls ever blocks: a
     * blocked handler here stalls the adapter.
     */
    CompletionReader forEachCompletionOnAdapterThread(Consumer<? super CompletionCursor> handler);

    /** Takes up to {@code max} entries out, perhaps none ({@code ibv_poll_cq}); EBUSY while a subscription polls. */
    CompletionStage<List<WorkCompletion>> poll(int max);

    /** What an armed queue waits for. These are all that there are. */
    enum Arm {
        /** Any entry. */
        ANY,
        /** A receive whose sender asked for a solicited event, or any error. */
        SOLICITED
    }

    /**
     * Asks for one event on the channel when an entry that {@code what} means is written from now on ({@code
     * ibv_req_notify_cq}). It holds before any poll that is called later. Arming for ANY widens an arm for SOLICITED, and
     * not the other way round. Entries that stand in the queue already count only where the profile says so.
     */
    void arm(Arm what);

    /**
     * Delays events until {@code count} entries came, or {@code period} has passed since the first of them; (0, 0) delays
     * nothing ({@code ibv_modify_cq}). Solicited entries and errors are never delayed. EINVAL above the adapter's limits,
     * EOPNOTSUPP where it has no moderation.
     */
    CompletionStage<Void> moderate(int count, Duration period);

    /**
     * Changes the size ({@code ibv_resize_cq}); entries, their order and arming stay. EINVAL below what stands in the queue
     * or is being delivered, and above the adapter's limit; ENOMEM where the host has no such pages for it.
     */
    CompletionStage<Void> resize(int entries);

    /**
     * Destroys the queue ({@code ibv_destroy_cq}); EBUSY while a queue pair uses it. It lasts until the events that were
     * fetched of it are acknowledged.
     */
    CompletionStage<Void> destroy();
}
