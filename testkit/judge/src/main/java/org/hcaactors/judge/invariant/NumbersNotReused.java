// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.TraceState;

/**
 * A queue pair number or memory key is given out once: it is reused only after all others were used, and no run gets that far
 * (rules event-numbers-rest, memory-key-rests). So no two open objects share a number, and a stale number finds nothing.
 */
final class NumbersNotReused implements Invariant {
    /**
     * A number of one port.
     *
     * @param space the kind of object that the number belongs to
     */
    private record Number(String port, String space, int value) {}

    private final Map<Number, Boolean> inUse = TraceState.recent();

    @Override
    public String name() {
        return "numbers-not-reused";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(HcaEvent.QueuePairCreated.class, HcaEvent.Registered.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.QueuePairCreated made ->
                assign(
                        new Number(
                                made.port(),
                                space(made.element()),
                                made.element().number()),
                        report);
            case HcaEvent.Registered made ->
                assign(new Number(made.port(), "key", made.element().number()), report);
            default -> {}
        }
    }

    // rule dc-responder
    /** Returns the number space: sessions are numbered separately from queue pairs. */
    private static String space(Element element) {
        return element.kind() == Element.Kind.RESPONDER ? "session" : "queue pair";
    }

    private void assign(Number number, Report report) {
        if (inUse.put(number, true) != null) {
            report.broken(
                    "%s assigns the number of %s %d a second time".formatted(number.port, number.space, number.value));
        }
    }
}
