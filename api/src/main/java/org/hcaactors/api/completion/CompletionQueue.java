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
 * A bounded ring of completions ({@code ibv_cq}). Demand is polling: {@code request(n)} takes up to n entries, never more. If a
 * subscriber requests nothing, the ring fills, and an overrun has the effect that it has on hardware: the queue is in error,
 * CQ_ERR is raised, and its queue pairs move to ERR with QP_FATAL.
 *
 * <p>An entry's place in the ring, and the work queue slots that it frees, are free when it is delivered, before {@code onNext}
 * runs: a subscriber that posts again in {@code onNext} needs the same ring and queue sizes as a polling loop. After a queue
 * pair is reset or destroyed, none of its entries is delivered.
 *
 * <p>One subscription or {@link CompletionReader} polls at a time; a second is refused with EBUSY, a subscriber through {@code
 * onError} and a reader through {@link CompletionReader#ended}. Cancelling stops polling and loses nothing. When the queue is
 * in error or destroyed, the subscriber receives {@code onError} or {@code onComplete}, and a reader ends.
 *
 * <p>{@link #poller}, {@link #arm} and the {@link CompletionChannel} are the raw verbs, for a program's own polling loop.
 *
 * <p>Threads: any; stages complete, and completions are delivered, on the callers' executor unless a {@link Delivery} says
 * otherwise. Limits: the entries, vectors and moderation of the profile's {@link
 * org.hcaactors.api.capability.CompletionCapabilities}.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface CompletionQueue extends Handle {
    int number();

    /** Number of entries in the ring: the next power of two above the requested number, less one, as in mlx5. */
    int capacity();

    /** Size of an entry: 64 or 128 bytes. */
    int entryBytes();

    /**
     * Shard of its network on which it runs, from 0, together with the queue pairs whose send completions it receives. A queue
     * pair may have its receive completions on another shard, but then each of their messages wakes another thread.
     *
     * <p>A peer on another shard answers READs at full speed: of those outstanding, up to {@code max_rd_atomic} whole messages
     * may be held on the heap until this shard's thread takes them.
     */
    int shard();

    /** Pages of the ring, as {@code MLX_CQ_ALLOC_TYPE} selects them; they change with a resize. */
    PageLayout pages();

    /** Same as {@link #completions(Delivery)}, on the callers' executor. */
    default Flow.Publisher<WorkCompletion> completions() {
        return completions(Delivery.CALLERS);
    }

    /** Publishes completions on the given thread. */
    Flow.Publisher<WorkCompletion> completions(Delivery delivery);

    /** Same as {@link #forEachCompletion(Delivery, Consumer)}, on the callers' executor. */
    default CompletionReader forEachCompletion(Consumer<? super CompletionCursor> handler) {
        return forEachCompletion(Delivery.CALLERS, handler);
    }

    /**
     * Polls in batches and calls a handler on the given thread: up to 256 entries per wake-up, shown one by one by one cursor.
     * While the handler runs on the callers' executor, new entries fill the ring. As for subscriptions, one reader polls at a
     * time, entries are delivered once and in order, and their places and slots are free at delivery. A refusal is reported by
     * {@link CompletionReader#ended}.
     */
    CompletionReader forEachCompletion(Delivery delivery, Consumer<? super CompletionCursor> handler);

    /** Takes up to {@code max} entries, possibly none ({@code ibv_poll_cq}); EBUSY while a subscription polls. */
    CompletionStage<List<WorkCompletion>> poll(int max);

    /** Returns a new poller, for one thread: it polls on that thread, without a stage ({@code ibv_poll_cq}). */
    CompletionPoller poller();

    /** Entries for which an armed queue reports. These are all that there are. */
    enum Arm {
        /** Any entry. */
        ANY,
        /** A receive with solicited event, or an error. */
        SOLICITED
    }

    /**
     * Requests one event on the channel for the next matching entry written after this call ({@code ibv_req_notify_cq}). It
     * takes effect before any poll that is called later. Arming for ANY replaces an arm for SOLICITED, and not the other way
     * round. Entries already in the queue count only if the profile has {@code ARM_FIRES_FOR_UNPOLLED}.
     */
    void arm(Arm what);

    /**
     * Delays events until {@code count} entries are written or {@code period} has passed since the first of them; (0, 0) turns
     * moderation off ({@code ibv_modify_cq}). Solicited entries and errors are never delayed. EINVAL above the adapter's
     * limits, EOPNOTSUPP if it has no moderation.
     */
    CompletionStage<Void> moderate(int count, Duration period);

    /**
     * Changes the size ({@code ibv_resize_cq}); entries, their order and arming are kept. EINVAL below the number of entries in
     * the queue or being delivered, and above the adapter's limit; ENOMEM if the host has no pages for it.
     */
    CompletionStage<Void> resize(int entries);

    /**
     * Destroys the queue ({@code ibv_destroy_cq}); EBUSY while a queue pair uses it. The stage completes when all its fetched
     * events are acknowledged.
     */
    CompletionStage<Void> destroy();
}
