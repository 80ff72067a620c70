// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.views.flow.TestkitEvent;

/**
 * Calls of the program that were refused, on purpose or not: errnos for the program, events of the recorded run, and lines of its
 * text. Thread-safe.
 */
final class RefusedCalls {
    /** Events of one function and errno: a program that calls again and again would fill the recorded run. */
    static final int MAX_EVENTS = 20;

    /** Characters of a reason. */
    private static final int MAX_REASON = 300;

    /**
     * Refusals of one function with one errno.
     *
     * @param first reason of the first one
     */
    private record Group(long calls, String first) {
        Group plus(Group more) {
            return new Group(calls + more.calls, first);
        }
    }

    private final Errnos errnos;
    private final TraceSink trace;
    private final String adapter;
    private final LongSupplier clock;
    /** By function and errno, as texts. */
    private final Map<String, Group> groups = new ConcurrentSkipListMap<>();

    /** @param clock of the adapter */
    RefusedCalls(Errnos errnos, TraceSink trace, String adapter, LongSupplier clock) {
        this.errnos = errnos;
        this.trace = trace;
        this.adapter = adapter;
        this.clock = clock;
    }

    /** Notes a call that was refused, and returns its errno. */
    int errno(String function, Throwable thrown) {
        Errnos.Refusal refusal = errnos.refusal(thrown);
        note(function, refusal);
        return refusal.errno().number();
    }

    private void note(String function, Errnos.Refusal refusal) {
        if (!trace.enabled()) {
            return;
        }
        Group group =
                groups.merge(function + " " + refusal.errno(), new Group(1, shortened(refusal.reason())), Group::plus);
        if (group.calls <= MAX_EVENTS) {
            String element = RefusalPlan.isOnPurpose(refusal.reason())
                    ? TestkitEvent.ofVerb(function)
                    : TestkitEvent.ofCall(function);
            Stamp stamp = new Stamp(trace.nextId(), clock.getAsLong(), 0, 0);
            trace.record(new TestkitEvent(stamp, adapter, element, words(function, refusal)));
        }
    }

    private static String words(String function, Errnos.Refusal refusal) {
        return function + " fails with " + refusal.errno() + ": " + shortened(refusal.reason());
    }

    private static String shortened(String reason) {
        return RunReport.shortened(reason.lines().findFirst().orElse(""), MAX_REASON);
    }

    /** Returns a line for each function and errno with which it was refused; refusals on purpose are said elsewhere. */
    List<String> lines() {
        return groups.entrySet().stream()
                .filter(each -> !RefusalPlan.isOnPurpose(each.getValue().first))
                .map(each -> "refused " + each.getKey() + ": "
                        + (each.getValue().calls == 1 ? "1 call: " : each.getValue().calls + " calls, the first: ")
                        + each.getValue().first)
                .toList();
    }
}
