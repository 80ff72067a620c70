// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.completion;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.api.handle.Handle;

/**
 * A thread of a host process that armed completion queues wake without an interrupt (AS-notify, {@code
 * IBV_EXP_CQ_AS_NOTIFY}): the thread that creates a queue {@linkplain CqDescription#withAsNotify names itself}, and that queue
 * wakes it and nobody else. Several queues may name one thread. A thread that waits here is a stage or a subscription: it
 * uses no CPU.
 *
 * <p>A loop that loses no wake-up: arm; poll until empty; wait; and so on. What comes between arming and waiting is kept: the
 * next wait is over at once. Whoever arms and waits without a poll in between may wait for entries that stand in the queue
 * already. A wake-up does not say which queue it is of, two of them may be one, and after one a queue may be empty: poll, and
 * wait again.
 *
 * <p>Where the host's unit can't deliver a notification, firmware raises an interrupt instead: the queue's {@link
 * CompletionChannel} gets an event, if it has one, and the thread is woken by that, unless it is gone.
 *
 * <p>Closing it ends the thread and forgets it; EBUSY while a queue names it.
 *
 * <p>Threads: any, though it stands for one: a single stage or subscription waits at a time. Limits: one
 * wake-up is kept until it is waited for.
 *
 * <p>Not for implementation: methods are added in minor versions.
 */
public interface Waiter extends Handle {
    /** What a notification finds. These are all that there are. */
    enum State {
        /** It does not wait: the notification is kept for its next wait. Several are kept as one. */
        RUNNING,
        /** It waits, and is woken. */
        WAITING,
        /** It has ended: the queue's channel gets an event instead. */
        GONE
    }

    /** Among the waiters of its adapter, from 1. */
    int number();

    /** A moment late: {@link #await} and a notification take effect here a little after they were called or sent. */
    State state();

    /**
     * The {@code wait} instruction: done when the thread is woken, at once if it was notified since its last wait. EBUSY while
     * a stage or a subscription waits. It fails where nothing would end it: EINVAL while no queue names the thread and once the
     * thread has ended, ECANCELED when {@linkplain #interrupt interrupted}, when the thread ends and when a queue that names it
     * is destroyed, EIO when such a queue or the adapter is in error.
     *
     * <p>It takes effect a moment after the call: a notification that comes in between finds the thread running, is kept, and ends
     * this wait at once.
     */
    CompletionStage<WakeCause> await();

    /**
     * The same wait after wait: demand for n is n waits. One subscription at a time, and a second one is refused with EBUSY, unless the
     * first was cancelled; cancelling loses nothing, a wake-up that was not delivered is kept for the next wait. {@link #await} is
     * refused with EBUSY until the subscriber has come back from its last call. {@code onComplete} tells that the thread has ended,
     * {@code onError} what no wait can end any more, EIO and ECANCELED as in {@link #await}: of queues, when the last one that names
     * the thread fails or goes; EINVAL where none does.
     */
    Flow.Publisher<WakeCause> wakes();

    /** Whoever waits in {@link #await} is told ECANCELED. Does nothing to a subscription, or where nobody waits; EINVAL if it is closed. */
    void interrupt();

    /** The thread ends. Queues that name it go on, and report by interrupt. Again does nothing. */
    CompletionStage<Void> end();
}
