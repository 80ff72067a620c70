// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

// rule memory-verb-times
/**
 * Time that an adapter and its host take for verbs and notifications, packets and pages excluded. In virtual time only; in
 * production these steps take the time they take.
 *
 * <p>Immutable: {@link #with} returns a changed copy, starting from {@link #NONE}. Steps are added in minor versions.
 */
public final class VerbTimes {
    /** A step that takes time. More may follow: a switch over them wants a default. */
    public enum Step {
        /** Registering or reregistering a region. */
        REGISTER,

        /** Binding a window or filling an indirect key. */
        BIND,

        /** Invalidating a window or an indirect key. */
        INVALIDATE,

        // rule notify-times
        /** Delivering an AS-notify from a completion queue to its thread. */
        NOTIFY,

        /** Delivering an interrupt from a completion queue to its channel. */
        INTERRUPT
    }

    /** One second. */
    public static final long MAX_NANOS = 1_000_000_000L;

    /** All steps take no time. */
    public static final VerbTimes NONE = new VerbTimes(new EnumMap<>(Step.class));

    /** Steps with a time above 0. */
    private final Map<Step, Long> nanos;

    private VerbTimes(Map<Step, Long> nanos) {
        this.nanos = Collections.unmodifiableMap(nanos);
    }

    /** Returns the time in nanoseconds; 0 if none is set. */
    public long nanos(Step step) {
        return nanos.getOrDefault(step, 0L);
    }

    /** IllegalArgumentException unless {@code lasting} is 0 to {@link #MAX_NANOS}. */
    public VerbTimes with(Step step, long lasting) {
        if (lasting < 0 || lasting > MAX_NANOS) {
            throw new IllegalArgumentException(
                    "the time of " + step + " is " + lasting + " ns; 0 to " + MAX_NANOS + " is allowed");
        }
        Map<Step, Long> all = new EnumMap<>(Step.class);
        all.putAll(nanos);
        if (lasting == 0) {
            all.remove(step);
        } else {
            all.put(step, lasting);
        }
        return new VerbTimes(all);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof VerbTimes group && nanos.equals(group.nanos);
    }

    @Override
    public int hashCode() {
        return nanos.hashCode();
    }

    @Override
    public String toString() {
        return "VerbTimes" + nanos;
    }
}
