// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import org.hcaactors.api.error.Errno;

/** Builder of a fault on verbs: when, and with what they fail. Immutable; the last call arms the fault. */
public final class OnVerbs {
    private final Faults faults;
    private final VerbMatch match;
    private final Trigger trigger;
    private final Interval moments;

    OnVerbs(Faults faults, VerbMatch match, Trigger trigger, Interval moments) {
        this.faults = faults;
        this.match = match;
        this.trigger = trigger;
        this.moments = moments;
    }

    /** Strikes the first matching call only. */
    public OnVerbs first() {
        return nth(1);
    }

    /** Strikes each of the first {@code count} matching calls. */
    public OnVerbs first(int count) {
        return when(new Trigger.First(count));
    }

    /** Strikes the n-th matching call only, from 1. */
    public OnVerbs nth(int n) {
        return when(new Trigger.Nth(n));
    }

    /** Strikes the n-th, the 2n-th, and so on. */
    public OnVerbs every(int n) {
        return when(new Trigger.Every(n));
    }

    /** Strikes each matching call independently with that probability. */
    public OnVerbs withProbability(double probability) {
        return when(new Trigger.Chance(probability));
    }

    public OnVerbs when(Trigger other) {
        return new OnVerbs(faults, match, other, moments);
    }

    /** Strikes only between these moments of the world's clock; calls are counted from the first of them on. */
    public OnVerbs between(Duration from, Duration until) {
        return new OnVerbs(faults, match, trigger, new Interval(from, until));
    }

    /**
     * Refuses the verb with that errno, without any effect.
     *
     * @throws IllegalArgumentException if one of the verbs cannot fail with it, see {@link org.hcaactors.api.error.Verb#errnos}
     */
    public void fail(Errno errno) {
        faults.arm(new Fault.OnVerbs(match, trigger, moments, errno));
    }
}
