// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.Set;
import org.hcaactors.fabric.flow.TraceEvent;

/** A rule that must hold in every run. Receives each event as it happens; belongs to one world's thread. */
public interface Invariant {
    /** Returns the name that failures show: {@code completes-once}. */
    String name();

    /** Returns the kinds of events that it receives; by default every kind. */
    default Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(TraceEvent.class);
    }

    /**
     * Checks an event of one of its {@link #kinds}.
     *
     * @param traceState the facts from earlier events
     * @param report receives the violation
     */
    void on(TraceEvent event, TraceState traceState, Report report);

    /**
     * Checks while nothing is ready and no actor runs, so that the resource audit can be read; called at intervals as time
     * passes.
     */
    default void betweenEvents(TraceState traceState, Report report) {}

    /** Checks when nothing is ready and no timer is armed: an event that has not happened by now never will. */
    default void whenIdle(TraceState traceState, Report report) {}

    /** Checks after the world has ended and everything in it was closed: objects that still exist are leaks. */
    default void atEnd(Report report) {}

    /** Receives violations. */
    @FunctionalInterface
    interface Report {
        /**
         * Reports a violation.
         *
         * @param story one line that names the object, what happened and what was allowed
         */
        void broken(String story);
    }
}
