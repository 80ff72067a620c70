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

/** Shows every event to the invariants that look at its kind, and keeps the first violation. Belongs to one world. */
public final class InvariantMonitor {
    /** Asked once what it looks at. Each world asks for every class of events anew: no stream here. */
    private record Looker(Invariant element, List<Class<? extends TraceEvent>> kinds) {
        static Looker of(Invariant element) {
            return new Looker(element, List.copyOf(element.kinds()));
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
     * Who looks at events of one class.
     *
     * @param noted what they tell is known
     * @param element in the order of all
     */
    private record Lookout(boolean noted, Invariant[] element) {}

    private final TraceState known;
    /** Nobody asks for more than keys. */
    private final boolean keysAlone;

    private final ShadowMemory guards = new ShadowMemory();
    private final List<Invariant> invariants;
    private final List<Looker> lookers;
    /** By the class of events. There are many events, and few look at each. */
    private final Map<Class<?>, Lookout> byKind = new HashMap<>();

    private final LongSupplier clock;
    private final Invariant.Report report = this::broken;
    /** Whose turn it is, and at which event; 0 at rest. */
    private Invariant judged;

    private long nowAt;
    private @Nullable Violation first;

    /**
     * @param ports the attributes of an adapter's port by its name
     * @param ledger of the network
     * @param actors the names of the actors directly below an adapter's, by its name
     * @param clock virtual nanoseconds
     * @param scope of which the standard invariants are
     * @param own checkers of the user's, besides the standard ones; who is shown no events looks only at rest and at the end
     */
    public InvariantMonitor(
            Function<String, Optional<PortAttributes>> ports,
            ResourceLedger ledger,
            Function<String, List<String>> actors,
            LongSupplier clock,
            Scope scope,
            List<? extends Invariant> own) {
        this.known = new TraceState(ports);
        this.keysAlone = scope == Scope.PROGRAM && own.isEmpty();
        this.clock = clock;
        this.invariants = Stream.concat(new StandardInvariants(guards, ledger, actors).of(scope).stream(), own.stream())
                .toList();
        this.lookers = invariants.stream().map(Looker::of).toList();
        this.judged = guards;
    }

    /** The names of all that is checked. */
    public List<String> names() {
        return invariants.stream().map(Invariant::name).toList();
    }

    public ShadowMemory guards() {
        return guards;
    }

    /** The first thing that broke. */
    public Optional<Violation> violation() {
        return Optional.ofNullable(first);
    }

    public boolean isBroken() {
        return first != null;
    }

    public void on(TraceEvent event) {
        Lookout lookout = lookout(event.getClass());
        if (lookout.noted) {
            known.note(event);
        }
        if (first != null || lookout.element.length == 0) {
            return;
        }
        nowAt = event.stamp().id();
        for (Invariant looker : lookout.element) {
            judged = looker;
            try {
                looker.on(event, known, report);
            } catch (RuntimeException failed) {
                broken("the checker itself failed: " + failed);
            }
        }
    }

    private Lookout lookout(Class<? extends TraceEvent> event) {
        Lookout lookout = byKind.get(event);
        if (lookout == null) {
            lookout = new Lookout(
                    !keysAlone || TraceState.OF_KEYS.contains(event),
                    lookers.stream()
                            .filter(each -> each.looksAt(event))
                            .map(Looker::element)
                            .toArray(Invariant[]::new));
            byKind.put(event, lookout);
        }
        return lookout;
    }

    /** Nothing is ready, and time is about to pass. */
    public void betweenEvents() {
        eachJudges(invariant -> invariant.betweenEvents(known, report));
    }

    /** Nothing is ready and no timer is armed. */
    public void whenIdle() {
        betweenEvents();
        eachJudges(invariant -> invariant.whenIdle(known, report));
    }

    /** The world has ended. */
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
