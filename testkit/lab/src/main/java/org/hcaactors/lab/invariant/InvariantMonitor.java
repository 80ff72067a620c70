// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.hcaactors.api.device.PortAttributes;
import org.hcaactors.fabric.flow.TraceEvent;
import org.jspecify.annotations.Nullable;

/** Passes every event to the invariants that want its kind, and keeps the first violation. Belongs to one world. */
public final class InvariantMonitor {
    /** An invariant with its kinds, which are read once. Every world looks up each event class, so this avoids streams. */
    private record Looker(Invariant invariant, List<Class<? extends TraceEvent>> kinds) {
        static Looker of(Invariant invariant) {
            return new Looker(invariant, List.copyOf(invariant.kinds()));
        }

        boolean looksAt(Class<?> event) {
            for (Class<?> kind : kinds) {
                if (kind.isAssignableFrom(event)) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * The invariants for events of one class.
     *
     * @param noted true if {@link TraceState} needs the events
     * @param invariants the invariants, in the order of all invariants
     */
    private record Subscribers(boolean noted, Invariant[] invariants) {}

    private final TraceState traceState;
    /** True if only facts about keys are needed. */
    private final boolean keysAlone;

    private final ShadowMemory guards = new ShadowMemory();
    private final List<Invariant> invariants;
    private final List<Looker> lookers;
    /** By event class. There are many events, and few invariants for each. */
    private final Map<Class<?>, Subscribers> byKind = new HashMap<>();

    private final LongSupplier clock;
    private final Invariant.Report report = this::broken;
    /** The invariant that is being checked, and the event; 0 if there is none. */
    private Invariant judged;

    private long nowAt;
    private @Nullable Violation first;

    /**
     * @param ports the attributes of an adapter's port by its name
     * @param ledger the resource audit of the network
     * @param actors the names of the actors directly below an adapter's actor, by adapter name
     * @param clock virtual nanoseconds
     * @param scope which standard invariants apply
     * @param own the user's invariants, besides the standard ones; one that wants no events is checked only when the world is
     *     idle and at the end
     */
    public InvariantMonitor(
            Function<String, Optional<PortAttributes>> ports,
            ResourceLedger ledger,
            Function<String, List<String>> actors,
            LongSupplier clock,
            Scope scope,
            List<? extends Invariant> own) {
        this.traceState = new TraceState(ports);
        this.keysAlone = scope == Scope.PROGRAM && own.isEmpty();
        this.clock = clock;
        this.invariants = Stream.concat(new StandardInvariants(guards, ledger, actors).of(scope).stream(), own.stream())
                .toList();
        this.lookers = invariants.stream().map(Looker::of).toList();
        this.judged = guards;
    }

    /** Returns the names of all invariants that are checked. */
    public List<String> names() {
        return invariants.stream().map(Invariant::name).toList();
    }

    public ShadowMemory guards() {
        return guards;
    }

    /** Returns the first violation. */
    public Optional<Violation> violation() {
        return Optional.ofNullable(first);
    }

    public boolean isBroken() {
        return first != null;
    }

    public void on(TraceEvent event) {
        Subscribers subscribers = subscribersOf(event.getClass());
        if (subscribers.noted) {
            traceState.note(event);
        }
        if (first != null || subscribers.invariants.length == 0) {
            return;
        }
        nowAt = event.stamp().id();
        for (Invariant invariant : subscribers.invariants) {
            judged = invariant;
            try {
                invariant.on(event, traceState, report);
            } catch (RuntimeException failed) {
                broken("the checker itself failed: " + failed);
            }
        }
    }

    private Subscribers subscribersOf(Class<? extends TraceEvent> event) {
        Subscribers subscribers = byKind.get(event);
        if (subscribers == null) {
            subscribers = new Subscribers(
                    !keysAlone || TraceState.OF_KEYS.contains(event),
                    lookers.stream()
                            .filter(each -> each.looksAt(event))
                            .map(Looker::invariant)
                            .toArray(Invariant[]::new));
            byKind.put(event, subscribers);
        }
        return subscribers;
    }

    /** Checks while nothing is ready, before time passes. */
    public void betweenEvents() {
        eachJudges(invariant -> invariant.betweenEvents(traceState, report));
    }

    /** Checks when nothing is ready and no timer is armed. */
    public void whenIdle() {
        betweenEvents();
        eachJudges(invariant -> invariant.whenIdle(traceState, report));
    }

    /** Checks after the world has ended. */
    public void atEnd() {
        eachJudges(invariant -> invariant.atEnd(report));
    }

    private void eachJudges(Consumer<Invariant> look) {
        nowAt = 0;
        for (Invariant invariant : invariants) {
            judged = invariant;
            try {
                look.accept(invariant);
            } catch (RuntimeException failed) {
                broken("the checker itself failed: " + failed);
            }
        }
    }

    private void broken(String story) {
        if (first == null) {
            first = new Violation(judged.name(), story, nowAt, clock.getAsLong());
        }
    }
}
