// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.capability;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

// rule memory-verb-times
/**
 * How long an adapter and its host take over what is neither a packet nor a page: of virtual time, on the bench alone. In production
 * all of it takes as long as it takes.
 *
 * <p>Immutable, and made from {@link #NONE} or another by what differs; steps are added in minor versions.
 */
public final class VerbTimes {
    /** What takes time. More may follow: a switch over them wants a default. */
    public enum Step {
        /** A region is registered, or registered anew. */
        REGISTER,

        /** A window is bound, or an indirect key filled. */
        BIND,

        /** A window, or an indirect key, shows nothing any more. */
        INVALIDATE,

        // rule notify-times
        /** AS-notify comes from a completion queue to its thread. */
        NOTIFY,

        /** An interrupt comes from a completion queue to its channel. */
        INTERRUPT
    }

    /** A second, far more than any of them. */
    public static final long MAX_NANOS = 1_000_000_000L;

    /** Nothing takes any time. */
    public static final VerbTimes NONE = new VerbTimes(new EnumMap<>(Step.class));

    /** Those that take any. */
    private final Map<Step, Long> nanos;

    private VerbTimes(Map<Step, Long> nanos) {
        this.nanos = Collections.unmodifiableMap(nanos);
    }

    /** Nanoseconds; 0 for none. */
    public long nanos(Step step) {
        return nanos.getOrDefault(step, 0L);
    }

    /** IllegalArgumentException below 0 and above {@link #MAX_NANOS}. */
    public VerbTimes with(Step step, long lasting) {
        if (lasting < 0 || lasting > MAX_NANOS) {
            throw new IllegalArgumentException(lasting + " ns; 0 to " + MAX_NANOS + " are allowed");
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
