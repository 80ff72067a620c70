// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.util.Arrays;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.api.completion.CompletionQueue.Arm;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** State machine of a completion queue: writing, polling, notification, and overruns. */
public final class CompletionQueueMachine {
    @MutationPoint("completion-queue-machine.rules")
    private final Rules rules;

    @MutationPoint("completion-queue-machine.ring")
    private final CompletionRing ring;

    private final Notification notification = new Notification();
    private volatile boolean failed;
    /** Number of entries that pollers could find so far, and one for the failure. */
    private long produced;

    /**
     * Rules of one completion queue.
     *
     * @param capacity number of entries
     * @param ignoreOverrun a full ring overwrites its oldest entry
     * @param overrunIsFatal an overrun fails the queue; else the newest entry is lost, CQ_ERR is raised, and the queue
     *     continues
     * @param armFiresForUnpolled arming considers entries already in the ring, too, which no event has reported
     * @param clockKilohertz frequency of the timestamp clock; 0: no timestamps
     */
    public record Rules(
            int capacity,
            boolean ignoreOverrun,
            boolean overrunIsFatal,
            boolean armFiresForUnpolled,
            int clockKilohertz) {}

    public CompletionQueueMachine(Rules rules) {
        this.rules = rules;
        ring = new CompletionRing(rules.capacity);
    }

    public boolean hasFailed() {
        return failed;
    }

    /** Number of entries in the ring. */
    public int size() {
        return ring.size();
    }

    /** Number of entries in the ring or on their way to the subscriber. */
    public int occupied() {
        return ring.size() + ring.underway();
    }

    /** True if writing an entry requires the current time. */
    public boolean needsTime() {
        return notification.needsTime() || rules.clockKilohertz > 0;
    }

    public long nextDeadline() {
        return notification.deadline();
    }

    /** Writes a batch. If the subscriber already waits for all of its entries, it is delivered without entering the ring. */
    @MutationPoint("completion-queue-machine.completed")
    public void completed(Completions batch, long now, CqEffects effects) {
        WorkCompletion[] entries = batch.entries();
        boolean plain = !failed && batch.stages().length == 0 && ring.size() == 0 && rules.clockKilohertz == 0;
        if (plain && entries.length <= Math.min(effects.demand(), ring.room())) {
            for (int i = 0; i < entries.length && effects.observed(); i++) {
                effects.written(entries[i], batch.isSolicited(i));
            }
            ring.passBy(batch);
            effects.grant(batch);
            produced(entries.length, effects);
            notice(batch, now, effects);
            return;
        }
        for (int i = 0; i < entries.length; i++) {
            WorkCompletion entry = rules.clockKilohertz == 0 ? entries[i] : entries[i].withTimestampTicks(ticks(now));
            Cqe cqe = new Cqe(entry, batch.workQueue(), batch.slotsOf(i), batch.isSolicited(i), batch.cargoOf(i));
            boolean written = write(cqe, batch.stageOf(i), effects);
            if (written && notification.written(batch.isSolicited(i), now)) {
                effects.wake();
            }
        }
        grant(effects);
    }

    // rule completion-timestamp
    private long ticks(long nanos) {
        return AdapterClock.of(nanos, rules.clockKilohertz);
    }

    private void notice(Completions batch, long now, CqEffects effects) {
        for (int i = 0; i < batch.entries().length && notification.isArmed(); i++) {
            if (notification.written(batch.isSolicited(i), now)) {
                effects.wake();
            }
        }
    }

    @MutationPoint("completion-queue-machine.write")
    private boolean write(Cqe cqe, @Nullable Reply<WorkCompletion> stage, CqEffects effects) {
        if (!failed && rules.ignoreOverrun) {
            makeRoom(effects);
        } else if (!failed && ring.room() == 0) {
            overrun(cqe, effects);
            if (!failed) {
                cqe.free();
                lose(stage, effects);
                return false;
            }
        }
        if (failed) {
            lose(stage, effects);
            return false;
        }
        effects.written(cqe.entry(), cqe.solicited());
        if (stage != null) {
            cqe.free();
            effects.removed(1);
            effects.complete(stage, cqe.polled());
        } else if (!ring.push(cqe)) {
            // All slots hold entries on their way to the subscriber: this entry is the oldest that can be overwritten.
            cqe.free();
            effects.removed(1);
        }
        produced(1, effects);
        return true;
    }

    // rule completion-producer-index
    @MutationPoint("completion-queue-machine.produced")
    private void produced(int entries, CqEffects effects) {
        if (entries > 0) {
            produced += entries;
            effects.produced(produced);
        }
    }

    // rule completion-overrun-ignored
    private void makeRoom(CqEffects effects) {
        Cqe[] oldest = ring.dropOldestIfFull();
        if (oldest.length > 0) {
            Cqe.free(oldest, oldest.length);
            effects.removed(oldest.length);
        }
    }

    private static void lose(@Nullable Reply<WorkCompletion> stage, CqEffects effects) {
        if (stage != null) {
            effects.lose(stage);
        }
    }

    /** Entries requested before the overrun are still delivered (rule completion-overrun-asked). */
    private void overrun(Cqe cqe, CqEffects effects) {
        grant(effects);
        effects.overrun(new EventDetail.Overrun(
                ring.capacity(),
                ring.size(),
                ring.underway(),
                cqe.entry().workId(),
                cqe.entry().qpNumber()));
        if (rules.overrunIsFatal) {
            fail(effects);
        }
    }

    /** Makes the queue unusable, after an overrun or a crash of its actor (rule completion-overrun). */
    public void fail(CqEffects effects) {
        if (!failed) {
            failed = true;
            effects.failed();
            produced(1, effects);
        }
    }

    /** Delivers the entries that the subscriber waits for. */
    public void grant(CqEffects effects) {
        for (int max = effects.demand(); !failed && max > 0 && ring.size() > 0; max = effects.demand()) {
            effects.grant(ring.grant(max));
        }
    }

    /** Polls up to {@code max} entries, oldest first. */
    public WorkCompletion[] take(int max) {
        Cqe[] polled = ring.poll(max);
        int kept = Cqe.free(polled, polled.length);
        return Arrays.stream(polled, 0, kept).map(Cqe::polled).toArray(WorkCompletion[]::new);
    }

    /** The subscriber has received the given number of further entries. */
    public void delivered(int entries) {
        ring.delivered(entries);
    }

    /** The subscription has ended; entries that it did not receive are back in the ring. */
    public void returnUndelivered(CqEffects effects) {
        int returned = ring.returnUndelivered();
        effects.returned(returned);
        notification.returned(returned);
        produced(returned, effects);
    }

    /** Removes the entries of a queue pair that was reset or destroyed. */
    public void purge(WorkQueueFeed workQueue, CqEffects effects) {
        effects.removed(ring.purge(workQueue));
    }

    // rule completion-arm-forward
    /** Arms the queue, on the caller's thread; true if the event is due at once. */
    public boolean arm(Arm what) {
        notification.arm(what);
        return rules.armFiresForUnpolled && notification.fireForWaiting(ring.size(), ring.solicited());
    }

    // rule completion-polled-at-once
    /**
     * Takes entries, oldest first, and frees the slots of their work queues, on the poller's thread. Entries of a queue pair that
     * was reset or destroyed are skipped.
     *
     * @return number of entries taken
     */
    public int poll(@Nullable Cqe[] taken, int max, CqTrace trace) {
        int kept = 0;
        while (kept == 0 && ring.hasEntries()) {
            int polled = ring.poll(taken, max);
            trace.taken(polled);
            kept = Cqe.free(taken, polled);
        }
        return kept;
    }

    public void moderate(int count, long periodNanos, long now, CqEffects effects) {
        if (notification.moderate(count, periodNanos, now)) {
            effects.wake();
        }
    }

    public void timeout(long now, CqEffects effects) {
        if (notification.timeout(now)) {
            effects.wake();
        }
    }

    /** Resizes the queue; returns false, and changes nothing, if more entries are in it or on their way. */
    public boolean resize(int entries) {
        return ring.resize(entries);
    }
}
