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
 * A number of a queue pair, and a memory key, is given out once: it comes back when all the others had their turn, and no
 * world gets that far (rules event-numbers-rest, memory-key-rests). So two that live at a time never share one, and what
 * still names the dead finds nothing.
 */
final class NumbersNotReused implements Invariant {
    /** @param space what the number is of */
    private record Number(String port, String space, int value) {}

    private final Map<Number, Boolean> given = TraceState.recent();

    @Override
    public String name() {
        return "numbers-not-reused";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(HcaEvent.QueuePairCreated.class, HcaEvent.Registered.class);
    }

    @Override
    public void on(TraceEvent event, TraceState known, Report report) {
        switch (event) {
            case HcaEvent.QueuePairCreated made ->
                give(
                        new Number(
                                made.port(),
                                space(made.element()),
                                made.element().number()),
                        report);
            case HcaEvent.Registered made ->
                give(new Number(made.port(), "key", made.element().number()), report);
            default -> {}
        }
    }

    // rule dc-responder
    /** Sessions are counted apart. */
    private static String space(Element element) {
        return element.kind() == Element.Kind.RESPONDER ? "session" : "queue pair";
    }

    private void give(Number number, Report report) {
        if (given.put(number, true) != null) {
            report.broken("%s gives out %s %d again".formatted(number.port, number.space, number.value));
        }
    }
}
