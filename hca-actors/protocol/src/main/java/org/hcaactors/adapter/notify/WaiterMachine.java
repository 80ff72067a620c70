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
 * A thread as its host's AS-notify unit knows it, as a machine: what wakes it, what is kept for it, and what nothing can wake
 * any more (rules notify-wakes, notify-latched, notify-gone, notify-unit-off).
 */
public final class WaiterMachine {
    private final String name;

    /** Completion queues that name it. */
    private final Set<Integer> queues = new LinkedHashSet<>();

    /** Of these, the ones in error: they wake nobody. */
    private final Set<Integer> failed = new LinkedHashSet<>();

    @MutationPoint("waiter-machine.state")
    private State state = State.RUNNING;

    /** What ends the next wait at once. */
    @MutationPoint("waiter-machine.kept")
    private Optional<WakeCause> kept = Optional.empty();

    /** Queues that failed while it ran, and why: each is told to a wait of its own. */
    private final SequencedMap<Integer, VerbsException> untold = new LinkedHashMap<>();

    /** @param name for refusals */
    public WaiterMachine(String name) {
        this.name = name;
    }

    public State state() {
        return state;
    }

    /** Completion queues that name it. */
    public int users() {
        return queues.size();
    }

    /** A queue names it. */
    public void named(int queue) {
        queues.add(queue);
    }

    /** It waits, until it is woken; only where it does not wait already. */
    public void waits(WaiterEffects effects) {
        if (kept.isPresent()) {
            WakeCause cause = kept.get();
            kept = Optional.empty();
            effects.wake(cause);
            return;
        }
        VerbsException vain = inVain(effects.isSingle());
        if (vain != null) {
            effects.refuse(vain);
            return;
        }
        state = State.WAITING;
        effects.sleeps();
    }

    // rule notify-vain
    private @Nullable VerbsException inVain(boolean single) {
        if (state == State.GONE) {
            return VerbsException.invalid(name + " has ended");
        }
        if (queues.isEmpty()) {
            return VerbsException.invalid(name + " waits, and no completion queue names it");
        }
        if (failed.containsAll(queues)) {
            return new VerbsException(Errno.EIO, name + " waits, and its completion queues are in error");
        }
        Map.Entry<Integer, VerbsException> first = untold.pollFirstEntry();
        if (single && first != null) {
            return first.getValue();
        }
        untold.clear();
        return null;
    }

    /**
     * What becomes of the report of an armed queue.
     *
     * @param unitIsOn the host's unit delivers notifications
     */
    @MutationPoint("waiter-machine.outcome")
    public NotifyOutcome outcome(boolean unitIsOn) {
        return switch (state) {
            case GONE -> NotifyOutcome.THREAD_GONE;
            case WAITING -> unitIsOn ? NotifyOutcome.WOKEN : NotifyOutcome.UNIT_OFF;
            case RUNNING -> unitIsOn ? NotifyOutcome.LATCHED : NotifyOutcome.UNIT_OFF;
        };
    }

    /** An armed queue reports, and that becomes of it. */
    public void notified(NotifyOutcome outcome, WaiterEffects effects) {
        switch (outcome) {
            case WOKEN, LATCHED -> reached(WakeCause.AS_NOTIFY, effects);
            case UNIT_OFF -> reached(WakeCause.MSI_FALLBACK, effects);
            case THREAD_GONE -> {
                // Its queue's channel is told.
            }
        }
    }

    @MutationPoint("waiter-machine.reached")
    private void reached(WakeCause cause, WaiterEffects effects) {
        if (state == State.WAITING) {
            state = State.RUNNING;
            effects.wake(cause);
        } else {
            keep(cause);
        }
    }

    // rule notify-latched
    /** Several are kept as one, and that as what came first. */
    @MutationPoint("waiter-machine.keep")
    private void keep(WakeCause cause) {
        if (kept.isEmpty()) {
            kept = Optional.of(cause);
        }
    }

    /** It was woken, and never heard of it. That was before whatever is kept. */
    public void undelivered(WakeCause cause, WaiterEffects effects) {
        if (state != State.GONE) {
            kept = Optional.of(cause);
            effects.keeps(cause);
        }
    }

    /** It waits no longer, though nothing woke it. */
    @MutationPoint("waiter-machine.interrupted")
    public void interrupted(VerbsException reason, WaiterEffects effects) {
        if (state == State.WAITING) {
            state = State.RUNNING;
            effects.fail(reason);
        }
    }

    /** A queue that names it wakes nobody any more: it is in error. */
    public void queueFailed(int queue, VerbsException reason, WaiterEffects effects) {
        if (queues.contains(queue) && failed.add(queue)) {
            if (state == State.RUNNING) {
                untold.put(queue, reason);
            }
            lost(reason, effects);
        }
    }

    // rule notify-destroyed
    /** A queue that names it is destroyed. */
    public void queueGone(int queue, WaiterEffects effects) {
        queues.remove(queue);
        failed.remove(queue);
        untold.remove(queue);
        lost(
                new VerbsException(
                        Errno.ECANCELED, "completion queue " + queue + " was destroyed while " + name + " waited"),
                effects);
    }

    /** A single wait does not know which queue it is for, and ends with any; a stream of waits ends with the last. */
    @MutationPoint("waiter-machine.lost")
    private void lost(VerbsException reason, WaiterEffects effects) {
        if (effects.isSingle() || failed.containsAll(queues)) {
            interrupted(reason, effects);
        }
    }

    // rule notify-device-fatal
    /**
     * Its adapter is in error, or started anew: what was made on it before wakes nobody any more.
     *
     * @param theirs the queues that were
     */
    @MutationPoint("waiter-machine.adapter-failed")
    public void adapterFailed(Set<Integer> theirs, VerbsException reason, WaiterEffects effects) {
        if (failed.addAll(theirs)) {
            lost(reason, effects);
        }
    }

    /** It ends. */
    @MutationPoint("waiter-machine.end")
    public void end(WaiterEffects effects) {
        interrupted(new VerbsException(Errno.ECANCELED, name + " ended while it waited"), effects);
        state = State.GONE;
        kept = Optional.empty();
    }
}
