// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.hcaactors.lab.fault.Condition;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.FaultPlan;
import org.hcaactors.lab.hocon.RefusedException;
import org.hcaactors.lab.hocon.Section;

/** Checks that the adapters, processes and threads in a fault plan are part of the scenario. */
final class FaultNames {
    private final Section file;
    private final Set<String> adapters;
    private final Map<String, Long> threads;

    /** @param threads number of threads on the host of each adapter, by its name */
    FaultNames(Section file, Set<String> adapters, Map<String, Long> threads) {
        this.file = file;
        this.adapters = adapters;
        this.threads = threads;
    }

    void check(FaultPlan plan) {
        for (int i = 0; i < plan.faults().size(); i++) {
            for (String name : names(plan.faults().get(i))) {
                if (!adapters.contains(name)) {
                    throw unknown(i, "adapter " + name, String.join(", ", adapters));
                }
            }
            for (String process : processes(plan.faults().get(i))) {
                if (!process.equals(ScenarioConnection.PROCESS)) {
                    throw unknown(i, "process " + process, ScenarioConnection.PROCESS);
                }
            }
            if (plan.faults().get(i) instanceof Fault.EndWaiter end) {
                isThere(i, end);
            }
        }
    }

    private void isThere(int fault, Fault.EndWaiter end) {
        long threadCount = threads.getOrDefault(end.adapter(), 0L);
        if (end.waiter() < 1 || end.waiter() > threadCount) {
            String known = LongStream.rangeClosed(1, threadCount)
                    .mapToObj(Long::toString)
                    .collect(Collectors.joining(", "));
            throw unknown(fault, "waiter " + end.waiter() + " of " + end.adapter(), threadCount == 0 ? "none" : known);
        }
    }

    private RefusedException unknown(int fault, String what, String known) {
        Section entry = file.sections("faults").get(fault);
        return entry.wrong(entry.keys().getFirst(), "there is no " + what + "; there are " + known);
    }

    private static List<String> processes(Fault fault) {
        return switch (fault) {
            case Fault.Kill kill -> List.of(kill.process());
            case Fault.Evict evict -> List.of(evict.process());
            case Fault.OnVerbs verbs -> verbs.match().process().stream().toList();
            case Fault.OnPackets other -> List.of();
            case Fault.AtMoment other -> List.of();
            case Fault.LoseWakeup other -> List.of();
            case Fault.Drawn other -> List.of();
        };
    }

    private static List<String> names(Fault fault) {
        return switch (fault) {
            case Fault.OnPackets packets ->
                packets.match().conditions().stream()
                        .flatMap(condition -> names(condition).stream())
                        .toList();
            case Fault.AtMoment moment -> List.of(moment.adapter());
            case Fault.OnVerbs verbs -> verbs.match().adapter().stream().toList();
            case Fault.LoseWakeup lost -> List.of(lost.adapter());
            case Fault.Drawn drawn -> List.of();
        };
    }

    private static List<String> names(Condition condition) {
        return switch (condition) {
            case Condition.From from -> List.of(from.adapter());
            case Condition.To to -> List.of(to.adapter());
            case Condition.Across across -> List.copyOf(across.oneSide());
            case Condition.FromSome other -> List.of();
            case Condition.OpcodeIn other -> List.of();
            case Condition.FamilyIn other -> List.of();
            case Condition.PlaceIn other -> List.of();
            case Condition.Transport other -> List.of();
            case Condition.Says other -> List.of();
            case Condition.Cm other -> List.of();
            case Condition.Request other -> List.of();
            case Condition.PsnBetween other -> List.of();
            case Condition.FromQp other -> List.of();
            case Condition.ToQp other -> List.of();
            case Condition.ToSrq other -> List.of();
            case Condition.Where other -> List.of();
        };
    }
}
