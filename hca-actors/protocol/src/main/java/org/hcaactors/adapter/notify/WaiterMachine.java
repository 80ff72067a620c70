// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.notify;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.api.completion.Waiter.State;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * State machine of a thread in its host's AS-notify unit: what wakes it, which wake-up is latched, and when nothing can wake it
 * any more (rules notify-wakes, notify-latched, notify-gone, notify-unit-off).
 */
public final class WaiterMachine {
    private final String name;

    /** Completion queues that notify the thread. */
    private final Set<Integer> queues = new LinkedHashSet<>();

    /** Those of them that are in error and wake no thread. */
    private final Set<Integer> failed = new LinkedHashSet<>();

    @MutationPoint("waiter-machine.state")
    private State state = State.RUNNING;

    /** A latched wake-up, which ends the next wait at once. */
    @MutationPoint("waiter-machine.kept")
    private Optional<WakeCause> latched = Optional.empty();

    /** Queues that failed while the thread ran, and why: each fails one wait. */
    private final SequencedMap<Integer, VerbsException> unreportedFailures = new LinkedHashMap<>();

    /** @param name name for refusals */
    public WaiterMachine(String name) {
        this.name = name;
    }

    public State state() {
        return state;
    }

    /** Number of completion queues that notify the thread. */
    public int users() {
        return queues.size();
    }

    /** A queue notifies the thread from now on. */
    public void named(int queue) {
        queues.add(queue);
    }

    /** Begins a wait, which lasts until a wake-up; call it only if the thread does not wait already. */
    public void waits(WaiterEffects effects) {
        if (latched.isPresent()) {
            WakeCause cause = latched.get();
            latched = Optional.empty();
            effects.wake(cause);
            return;
        }
        VerbsException refusal = whyNotWaiting(effects.isSingle());
        if (refusal != null) {
            effects.refuse(refusal);
            return;
        }
        state = State.WAITING;
        effects.sleep();
    }

    // rule notify-vain
    private @Nullable VerbsException whyNotWaiting(boolean single) {
        if (state == State.GONE) {
            return VerbsException.invalid(name + " has ended");
        }
        if (queues.isEmpty()) {
            return VerbsException.invalid(name + " can't wait: no completion queue notifies it");
        }
        if (failed.containsAll(queues)) {
            return new VerbsException(Errno.EIO, name + " can't wait: all of its completion queues are in error");
        }
        Map.Entry<Integer, VerbsException> first = unreportedFailures.pollFirstEntry();
        if (single && first != null) {
            return first.getValue();
        }
        unreportedFailures.clear();
        return null;
    }

    /**
     * Determines the outcome of an armed queue's notification.
     *
     * @param unitIsOn whether the host's unit delivers notifications
     */
    @MutationPoint("waiter-machine.outcome")
    public NotifyOutcome outcome(boolean unitIsOn) {
        return switch (state) {
            case GONE -> NotifyOutcome.THREAD_GONE;
            case WAITING -> unitIsOn ? NotifyOutcome.WOKEN : NotifyOutcome.UNIT_OFF;
            case RUNNING -> unitIsOn ? NotifyOutcome.LATCHED : NotifyOutcome.UNIT_OFF;
        };
    }

    /** An armed queue notifies the thread, with that outcome. */
    public void notified(NotifyOutcome outcome, WaiterEffects effects) {
        switch (outcome) {
            case WOKEN, LATCHED -> wake(WakeCause.AS_NOTIFY, effects);
            case UNIT_OFF -> wake(WakeCause.MSI_FALLBACK, effects);
            case THREAD_GONE -> {
                // The queue's completion channel is notified instead.
            }
        }
    }

    @MutationPoint("waiter-machine.reached")
    private void wake(WakeCause cause, WaiterEffects effects) {
        if (state == State.WAITING) {
            state = State.RUNNING;
            effects.wake(cause);
        } else {
            latch(cause);
        }
    }

    // rule notify-latched
    /** Latches a wake-up; several are latched as one, with the cause of the first. */
    @MutationPoint("waiter-machine.keep")
    private void latch(WakeCause cause) {
        if (latched.isEmpty()) {
            latched = Optional.of(cause);
        }
    }

    /** A wake-up was not received. It precedes any latched one and replaces it. */
    public void undelivered(WakeCause cause, WaiterEffects effects) {
        if (state != State.GONE) {
            latched = Optional.of(cause);
            effects.latch(cause);
        }
    }

    /** Ends the wait without a wake-up. */
    @MutationPoint("waiter-machine.interrupted")
    public void interrupted(VerbsException reason, WaiterEffects effects) {
        if (state == State.WAITING) {
            state = State.RUNNING;
            effects.fail(reason);
        }
    }

    /** A queue of the thread is in error and no longer wakes it. */
    public void queueFailed(int queue, VerbsException reason, WaiterEffects effects) {
        if (queues.contains(queue) && failed.add(queue)) {
            if (state == State.RUNNING) {
                unreportedFailures.put(queue, reason);
            }
            lost(reason, effects);
        }
    }

    // rule notify-destroyed
    /** A queue of the thread is destroyed. */
    public void queueDestroyed(int queue, WaiterEffects effects) {
        queues.remove(queue);
        failed.remove(queue);
        unreportedFailures.remove(queue);
        lost(
                new VerbsException(
                        Errno.ECANCELED, "completion queue " + queue + " was destroyed while " + name + " waited"),
                effects);
    }

    /** A single wait is not tied to a queue and ends with any failure; a stream of waits ends with the last queue. */
    @MutationPoint("waiter-machine.lost")
    private void lost(VerbsException reason, WaiterEffects effects) {
        if (effects.isSingle() || failed.containsAll(queues)) {
            interrupted(reason, effects);
        }
    }

    // rule notify-device-fatal
    /**
     * The adapter is in error or was restarted: its queues no longer wake the thread.
     *
     * @param adapterQueues the adapter's queues
     */
    @MutationPoint("waiter-machine.adapter-failed")
    public void adapterFailed(Set<Integer> adapterQueues, VerbsException reason, WaiterEffects effects) {
        if (failed.addAll(adapterQueues)) {
            lost(reason, effects);
        }
    }

    /** The thread ends. */
    @MutationPoint("waiter-machine.end")
    public void end(WaiterEffects effects) {
        interrupted(new VerbsException(Errno.ECANCELED, name + " ended while it waited"), effects);
        state = State.GONE;
        latched = Optional.empty();
    }
}
