// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.Set;
import org.hcaactors.fabric.flow.TraceEvent;

/** Something that must hold in every run. Sees each event as it happens; belongs to one world's thread. */
public interface Invariant {
    /** The name in failures: {@code completes-once}. */
    String name();

    /** The kinds of events that it looks at, and no others are shown to it; every kind, if it does not say. */
    default Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(TraceEvent.class);
    }

    /**
     * Something happened, of a kind that it looks at.
     *
     * @param known what earlier events told
     * @param report takes what is broken
     */
    void on(TraceEvent event, TraceState known, Report report);

    /** Nothing is ready now and no actor runs, so that the books may be asked; now and then while time passes. */
    default void betweenEvents(TraceState known, Report report) {}

    /** Nothing is ready and no timer is armed: what has not happened by now never will. */
    default void whenIdle(TraceState known, Report report) {}

    /** The world has ended, and everything in it was closed: what is there now is left over. */
    default void atEnd(Report report) {}

    /** Where a checker says what is broken. */
    @FunctionalInterface
    interface Report {
        /**
         * It does not hold.
         *
         * @param story one line that names who, what and what was allowed
         */
        void broken(String story);
    }
}
