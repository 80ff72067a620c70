// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hcaactors.lab.fault.Condition;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.Faults;

/**
 * The faults that a test itself armed, over all of its runs, and whether each struck in at least one. Faults of two runs count
 * as the same if they agree in kind, in the adapters and processes that they name, and in the packets that they match. Moments,
 * counts and object numbers may differ between seeds.
 */
final class OwnFaults {
    /** Descriptions of faults that have struck in no run; empty once they have struck. */
    private final Map<OwnFault, Optional<String>> unstruck = new LinkedHashMap<>();

    /**
     * Returns the faults of one run.
     *
     * @param first index of the run's first fault
     * @param others index of the first fault that another part armed
     * @param end index of the next fault of the test's own
     */
    static List<OwnFault> of(Faults faults, int first, int others, int end) {
        Map<OwnFault, Integer> alike = new HashMap<>();
        List<OwnFault> own = new ArrayList<>();
        List<Fault> armed = faults.plan().faults();
        for (int i = first; i < armed.size(); i++) {
            if (i < others || i >= end) {
                Fault fault = armed.get(i);
                OwnFault any = new OwnFault(fault.kind(), names(fault), 1, Optional.empty());
                own.add(new OwnFault(
                        any.kind(),
                        any.names(),
                        alike.merge(any, 1, Integer::sum),
                        faults.hasStruck(i) ? Optional.empty() : Optional.of(fault.words())));
            }
        }
        return own;
    }

    /** Adds the faults of one run. */
    void add(List<OwnFault> ofRun) {
        for (OwnFault fault : ofRun) {
            if (fault.unstruck().isEmpty()) {
                unstruck.put(fault.likeness(), Optional.empty());
            } else {
                unstruck.putIfAbsent(fault.likeness(), fault.unstruck());
            }
        }
    }

    boolean isEmpty() {
        return unstruck.isEmpty();
    }

    /** Returns descriptions of the faults that never struck, as the first run armed them. */
    List<String> unstruck() {
        return unstruck.values().stream().flatMap(Optional::stream).toList();
    }

    private static List<String> names(Fault fault) {
        return switch (fault) {
            case Fault.OnPackets packets ->
                packets.match().conditions().stream()
                        .filter(condition -> !isNumber(condition))
                        .map(Condition::words)
                        .sorted()
                        .toList();
            case Fault.Kill kill -> List.of(kill.adapter(), kill.process());
            case Fault.Evict evict -> List.of(evict.adapter(), evict.process());
            case Fault.AtMoment moment -> List.of(moment.adapter());
            case Fault.OnVerbs verbs -> List.of(verbs.match().toString());
            case Fault.LoseWakeup lost -> List.of(lost.adapter());
            case Fault.Drawn drawn -> List.of();
        };
    }

    private static boolean isNumber(Condition condition) {
        return switch (condition) {
            case Condition.PsnBetween psn -> true;
            case Condition.FromQp qp -> true;
            case Condition.ToQp qp -> true;
            case Condition.ToSrq srq -> true;
            case Condition.FromSome some -> true;
            case Condition.OpcodeIn in -> false;
            case Condition.FamilyIn in -> false;
            case Condition.PlaceIn in -> false;
            case Condition.Transport transport -> false;
            case Condition.Says says -> false;
            case Condition.Cm cm -> false;
            case Condition.Request request -> false;
            case Condition.From from -> false;
            case Condition.To to -> false;
            case Condition.Across across -> false;
            case Condition.Where where -> false;
        };
    }
}
