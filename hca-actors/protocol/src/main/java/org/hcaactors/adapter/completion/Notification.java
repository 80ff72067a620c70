// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.mutation.MutationPoint;

/**
 * Notification state of a completion queue: arming, one event for each arm, and moderation (rules completion-arm-once,
 * completion-moderation; ibv_req_notify_cq(3), ibv_modify_cq(3)).
 */
final class Notification {
    static final long NEVER = Long.MAX_VALUE;

    private enum State {
        UNARMED,
        SOLICITED,
        ANY
    }

    /** Written with the lock; read without it to see whether there is anything to do. */
    private volatile State state = State.UNARMED;

    @MutationPoint("notification.count")
    private int count;

    private volatile long periodNanos;
    /** Number of entries since the arm that it counts; 0 without an arm. */
    private int accumulated;

    /** Number of entries written since the last event. */
    private long unreported;

    /** Number of solicited ones among them. */
    private long unreportedSolicited;

    @MutationPoint("notification.deadline")
    private volatile long deadline = NEVER;

    /** An arm for solicited entries does not narrow one for any (rule completion-arm-widens). */
    synchronized void arm(Arm what) {
        if (what == Arm.ANY) {
            state = State.ANY;
        } else if (state == State.UNARMED) {
            state = State.SOLICITED;
        }
    }

    boolean isArmed() {
        return state != State.UNARMED;
    }

    // rule completion-moderation-changed
    /**
     * Changes the moderation, also for entries counted already: (0, 0) delays nothing, and a period begins now.
     *
     * @return true if the event is due
     */
    @MutationPoint("notification.moderate")
    synchronized boolean moderate(int entries, long nanos, long now) {
        count = entries;
        periodNanos = nanos;
        deadline = NEVER;
        return accumulated > 0 && dueOrTimed(now);
    }

    // rules completion-arm-solicited, completion-moderation-urgent
    /**
     * An entry was written.
     *
     * @param solicited the sender requested a solicited event, or it is an error: never delayed
     * @return true if the event is due
     */
    @MutationPoint("notification.written")
    synchronized boolean written(boolean solicited, long now) {
        unreported++;
        unreportedSolicited += solicited ? 1 : 0;
        if (state == State.UNARMED || state == State.SOLICITED && !solicited) {
            return false;
        }
        accumulated++;
        return solicited ? fire() : dueOrTimed(now);
    }

    @MutationPoint("notification.due-or-timed")
    private boolean dueOrTimed(long now) {
        boolean undelayed = count == 0 && periodNanos == 0;
        if (undelayed || count > 0 && accumulated >= count) {
            return fire();
        }
        if (deadline == NEVER && periodNanos > 0) {
            deadline = now + periodNanos;
        }
        return false;
    }

    /** Returns the time of the next {@link #timeout}. */
    long deadline() {
        return deadline;
    }

    /** True if the event is due. */
    synchronized boolean timeout(long now) {
        return deadline <= now && state != State.UNARMED && fire();
    }

    /** True if an arm that comes now may delay its event, which requires the current time. */
    boolean needsTime() {
        return state != State.UNARMED || periodNanos > 0;
    }

    /** Entries that nothing reported are back in the ring; there may be solicited ones among them. */
    synchronized void returned(int entries) {
        unreported += entries;
        unreportedSolicited += entries;
    }

    // rule completion-arm-forward
    /**
     * Disarms the queue for its one event if there is an entry that was neither polled nor reported: the newest ones are those that
     * were not polled, and those that were not reported.
     *
     * @param unpolled number of entries
     * @param solicited number of solicited ones among them
     * @return true if the event is due
     */
    synchronized boolean fireForWaiting(int unpolled, int solicited) {
        return switch (state) {
            case UNARMED -> false;
            case SOLICITED -> Math.min(solicited, unreportedSolicited) > 0 && fire();
            case ANY -> Math.min(unpolled, unreported) > 0 && fire();
        };
    }

    /** Disarms the queue for its one event. */
    synchronized boolean fire() {
        state = State.UNARMED;
        accumulated = 0;
        unreported = 0;
        unreportedSolicited = 0;
        deadline = NEVER;
        return true;
    }
}
