// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NotifyOutcome;
import org.hcaactors.api.completion.Waiter.State;
import org.hcaactors.api.completion.WakeCause;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.TraceState;
import org.hcaactors.views.flow.TestkitEvent;

/**
 * A completion queue with AS-notify wakes exactly the thread that it names, once per notification; a notification that arrives
 * while the thread runs is latched, at most one; one that arrives after the thread ended becomes an interrupt (rules
 * notify-own, notify-wakes, notify-latched, notify-gone).
 */
final class AsNotifyWakesThread implements Invariant {
    private record Name(String port, Element element) {
        @Override
        public String toString() {
            return port + "/" + element;
        }
    }

    /** Expected state of a waiting thread. */
    private static final class Sleeper {
        State state = State.RUNNING;
        Optional<WakeCause> kept = Optional.empty();
        /** Set if the thread waits and has been notified: its next event must be that it wakes. */
        Optional<WakeCause> due = Optional.empty();

        void reached(WakeCause cause) {
            if (state == State.WAITING) {
                due = Optional.of(cause);
            } else if (kept.isEmpty()) {
                kept = Optional.of(cause);
            }
        }

        /** False if the thread must not wake now, or not for this cause. */
        boolean wakes(WakeCause cause) {
            Optional<WakeCause> reason = state == State.WAITING ? due : kept;
            if (state == State.WAITING) {
                due = Optional.empty();
                state = State.RUNNING;
            } else {
                kept = Optional.empty();
            }
            return reason.equals(Optional.of(cause));
        }
    }

    private final Map<Name, Sleeper> threads = new LinkedHashMap<>();
    /** By queue: the thread that it names. */
    private final Map<Name, Element> named = new LinkedHashMap<>();
    /** By queue: how many notifications have not arrived. */
    private final Map<Name, Integer> underWay = new LinkedHashMap<>();

    @Override
    public String name() {
        return "as-notify-wakes-thread";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                TestkitEvent.class,
                HcaEvent.Notified.class,
                HcaEvent.NotifySent.class,
                HcaEvent.WaiterEnded.class,
                HcaEvent.WaitFailed.class,
                HcaEvent.WakeLatched.class,
                HcaEvent.WaiterAttached.class,
                HcaEvent.WaiterSleeps.class,
                HcaEvent.WaiterWakes.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.WaiterAttached e -> named.put(new Name(e.port(), e.element()), e.waiter());
            case HcaEvent.NotifySent e -> {
                Name queue = new Name(e.port(), e.element());
                isNamed(queue, e.waiter(), report);
                underWay.merge(queue, 1, Integer::sum);
            }
            case HcaEvent.Notified e -> notified(e, report);
            case HcaEvent.WaiterSleeps e -> sleeps(new Name(e.port(), e.element()), report);
            case HcaEvent.WaiterWakes e -> {
                Name name = new Name(e.port(), e.element());
                if (!thread(name).wakes(e.cause())) {
                    report.broken(name + " is woken by " + e.cause() + ", but no notification woke it");
                }
            }
            case HcaEvent.WakeLatched e -> thread(new Name(e.port(), e.element())).kept = Optional.of(e.cause());
            case HcaEvent.WaitFailed e -> thread(new Name(e.port(), e.element())).state = State.RUNNING;
            case HcaEvent.WaiterEnded e -> {
                Name name = new Name(e.port(), e.element());
                Sleeper ended = thread(name);
                if (ended.state == State.WAITING) {
                    report.broken(name + " ended, but its wait did not fail");
                }
                ended.state = State.GONE;
                ended.kept = Optional.empty();
            }
            case TestkitEvent struck
            when struck.what().startsWith("lose ") ->
                Element.parse(struck.element())
                        .ifPresent(cq -> underWay.computeIfPresent(
                                new Name(struck.port(), cq), (queue, reports) -> reports - 1));
            default -> {}
        }
    }

    private Sleeper thread(Name name) {
        return threads.computeIfAbsent(name, absent -> new Sleeper());
    }

    private void isNamed(Name queue, Element waiter, Report report) {
        if (!waiter.equals(named.get(queue))) {
            report.broken(queue + " notifies " + waiter + ", but the attached thread is " + named.get(queue));
        }
    }

    private void notified(HcaEvent.Notified e, Report report) {
        Name queue = new Name(e.port(), e.element());
        Name name = new Name(e.port(), e.waiter());
        isNamed(queue, e.waiter(), report);
        if (underWay.merge(queue, -1, Integer::sum) < 0) {
            report.broken(queue + "'s notification reached " + name + ", but none was outstanding");
        }
        Sleeper thread = thread(name);
        boolean fits = switch (e.outcome()) {
            case WOKEN -> thread.state == State.WAITING;
            case LATCHED -> thread.state == State.RUNNING;
            case UNIT_OFF -> thread.state != State.GONE;
            case THREAD_GONE -> thread.state == State.GONE;
        };
        if (!fits) {
            report.broken(queue + "'s notification of " + name + " has the outcome " + e.outcome()
                    + ", but the thread is " + thread.state);
        }
        if (e.outcome() != NotifyOutcome.THREAD_GONE) {
            boolean interrupt = e.outcome() == NotifyOutcome.UNIT_OFF;
            thread.reached(interrupt ? WakeCause.MSI_FALLBACK : WakeCause.AS_NOTIFY);
        }
    }

    private void sleeps(Name name, Report report) {
        Sleeper thread = thread(name);
        if (thread.state != State.RUNNING || thread.kept.isPresent()) {
            report.broken(name + " begins to wait, but its state is " + thread.state
                    + (thread.kept.isPresent() ? " with a kept wake-up" : ""));
        }
        thread.state = State.WAITING;
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        threads.forEach((name, thread) -> {
            if (thread.due.isPresent()) {
                report.broken(name + " was notified while it waited, but still waits");
            }
        });
        underWay.forEach((queue, reports) -> {
            if (reports > 0) {
                report.broken(reports + " notifications of " + queue + " never reached its thread");
            }
        });
    }
}
