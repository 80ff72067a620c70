// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.handle.Handle;

/**
 * A thread of a host process that armed completion queues wake without an interrupt (AS-notify, {@code IBV_EXP_CQ_AS_NOTIFY}).
 * The thread that creates a queue {@linkplain CqDescription#withWaiter names itself}, and the queue wakes only that thread.
 * Several queues may name one thread. A waiting thread is modelled as a stage or a subscription: it uses no CPU.
 *
 * <p>A loop that misses no wake-up: arm; poll until empty; wait; and so on. A notification between arming and waiting is kept:
 * the next wait ends at once. Without a poll between arming and waiting, the thread may wait although entries are in the queue.
 * A wake-up does not name its queue, two notifications may give one wake-up, and the queue may be empty: poll, and wait again.
 *
 * <p>If the host's unit cannot deliver a notification, firmware raises an interrupt instead: the queue's {@link
 * CompletionChannel} gets an event, if it has one, and the interrupt wakes the thread, unless it has ended.
 *
 * <p>Closing ends the thread and releases it; EBUSY while a queue names it.
 *
 * <p>Threads: any, though it represents one thread: a single stage or subscription waits at a time. Limits: one wake-up is kept
 * until the next wait.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface Waiter extends Handle {
    /** State of the thread when a notification arrives. These are all that there are. */
    enum State {
        /** Not waiting: the notification is kept for the next wait. Several are kept as one. */
        RUNNING,
        /** Waiting: the notification wakes it. */
        WAITING,
        /** Ended: the queue's channel gets an event instead. */
        GONE
    }

    /** Number among the waiters of its adapter, from 1. */
    int number();

    /**
     * Returns the state, with a short delay: {@link #await} and notifications take effect here shortly after they were called
     * or sent.
     */
    State state();

    /**
     * The {@code wait} instruction: completes when the thread is woken, at once if it was notified since its last wait. EBUSY
     * while a stage or a subscription waits. It fails if no notification can end it: EINVAL while no queue names the thread and
     * after the thread has ended; ECANCELED if {@linkplain #interrupt interrupted}, if the thread ends, or if a queue that
     * names it is destroyed; EIO if such a queue or the adapter is in error.
     *
     * <p>The wait takes effect shortly after the call: a notification that arrives in between finds the thread running, is
     * kept, and ends this wait at once.
     */
    CompletionStage<WakeCause> await();

    /**
     * Publishes wake-ups of repeated waits: demand for n is n waits. One subscription at a time; a second one is refused with
     * EBUSY, unless the first was cancelled. Cancelling loses nothing: an undelivered wake-up is kept for the next wait. {@link
     * #await} is refused with EBUSY until the subscriber's last call has returned. {@code onComplete} is called when the thread
     * has ended; {@code onError} when no notification can end a wait: EIO and ECANCELED as in {@link #await}, when the last
     * queue that names the thread fails or is destroyed; EINVAL if no queue names it.
     */
    Flow.Publisher<WakeCause> wakeups();

    /**
     * Fails a waiting {@link #await} with ECANCELED. No effect on a subscription, or if no stage waits; EINVAL if the waiter is
     * closed.
     */
    void interrupt();

    /** Ends the thread. Queues that name it continue and report by interrupt. Calling again has no effect. */
    CompletionStage<Void> end();
}
