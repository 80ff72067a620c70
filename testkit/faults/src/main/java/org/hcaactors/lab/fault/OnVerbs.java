// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.time.Duration;
import org.hcaactors.api.error.Errno;

/** A sentence about verbs in the making: when, and with what they fail. Immutable; its last word arms the fault. */
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

    /** The first call only. */
    public OnVerbs first() {
        return nth(1);
    }

    /** Each of the first {@code count}. */
    public OnVerbs first(int count) {
        return when(new Trigger.First(count));
    }

    /** The n-th only, from 1. */
    public OnVerbs nth(int n) {
        return when(new Trigger.Nth(n));
    }

    /** The n-th, the 2n-th, and so on. */
    public OnVerbs every(int n) {
        return when(new Trigger.Every(n));
    }

    /** Each by itself. */
    public OnVerbs withProbability(double probability) {
        return when(new Trigger.Chance(probability));
    }

    public OnVerbs when(Trigger other) {
        return new OnVerbs(faults, match, other, moments);
    }

    /** Only between these moments of the world's clock; calls are counted from the first of them on. */
    public OnVerbs between(Duration from, Duration until) {
        return new OnVerbs(faults, match, trigger, new Interval(from, until));
    }

    /**
     * The verb is refused with that, and nothing has happened. IllegalArgumentException where one of the verbs can't answer so:
     * {@link org.hcaactors.api.error.Verb#errnos} says what each can.
     */
    public void fail(Errno errno) {
        faults.arm(new Fault.OnVerbs(match, trigger, moments, errno));
    }
}
