// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.checks.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the places of a verb that the compiler does not check: its name in pages and scripts, the workload that posts it under
 * faults, the command that measures it. The test names each place where a verb is missing.
 */
class EveryVerbTest {
    private record Absence(VerbPlace place, List<String> verbs, String reason) {
        Absence(VerbPlace place, String reason, String... verbs) {
            this(place, List.of(verbs), reason);
        }
    }

    private static final String[] OF_KEYS = {"BindWindow", "FillKey", "LocalInvalidate"};
    private static final String[] MASKED = {"MaskedCompareAndSwap", "MaskedFetchAdd"};
    private static final String SENDS_NOTHING = "it changes a key of its own adapter, and sends nothing";
    private static final String OWN_FORM = "its form on the wire is our own, so that no capture of others has one";

    /** Places where a verb is not needed, and why. */
    private static final List<Absence> ABSENCES = List.of(
            new Absence(VerbPlace.OPERATION, SENDS_NOTHING, OF_KEYS),
            new Absence(VerbPlace.OPCODES, SENDS_NOTHING, OF_KEYS),
            new Absence(VerbPlace.FAULTS, SENDS_NOTHING, OF_KEYS),
            new Absence(VerbPlace.COUNTER, SENDS_NOTHING, OF_KEYS),
            new Absence(VerbPlace.COUNTER, "what counts are the receives that it takes", "Send"),
            new Absence(VerbPlace.CONFORM, SENDS_NOTHING, OF_KEYS),
            new Absence(VerbPlace.CONFORM, OWN_FORM, MASKED),
            new Absence(VerbPlace.CAPABILITY, "every adapter has it", "Send", "RdmaRead", "RdmaWrite"),
            new Absence(VerbPlace.SCENARIO, "a line's `pieces` are a key that is filled with them", "FillKey"),
            new Absence(VerbPlace.PERF, "perftest measures atomics by FETCH_ADD", "CompareAndSwap"),
            new Absence(VerbPlace.PERF, "perftest has no test of it", MASKED),
            new Absence(VerbPlace.PERF, "perftest has no test of it", OF_KEYS),
            new Absence(VerbPlace.DEMO, "a scenario shows it: hca run docs/guide/scenarios/22-*", "LocalInvalidate"),
            new Absence(VerbPlace.WALK, "it knows a word by the sum of what was added", "CompareAndSwap"),
            new Absence(VerbPlace.WALK, "it knows a word by the sum of what was added", "MaskedCompareAndSwap"),
            new Absence(VerbPlace.WALK, "its windows are bound by RcQueuePair.bind", "BindWindow"),
            new Absence(VerbPlace.WALK, "its keys go by verbs of objects; the sweep posts it", "LocalInvalidate"),
            new Absence(VerbPlace.ACCESS, "it needs what the plain one needs", MASKED),
            new Absence(VerbPlace.ACCESS, "it needs more than a right: BindPostingTest", "BindWindow"),
            new Absence(VerbPlace.MACHINES, "to a machine all changes of keys are one: KeyWorkTest", "BindWindow"),
            new Absence(VerbPlace.MACHINES, "to a machine all changes of keys are one: KeyWorkTest", "FillKey"),
            new Absence(VerbPlace.MACHINES, "DrawnWork draws it, and RcScript is its model", "MaskedCompareAndSwap"),
            new Absence(
                    VerbPlace.RULES, "window-bind, window-invalidate, indirect-fill say it in other words", OF_KEYS));

    private static boolean isExcused(VerbPlace place, VerbKind verb) {
        return ABSENCES.stream().anyMatch(each -> each.place == place && each.verbs.contains(verb.name()));
    }

    private static Stream<String> missing(VerbKind verb) {
        return Arrays.stream(VerbPlace.values())
                .filter(place -> !isExcused(place, verb) && !place.has(verb))
                .map(place -> place.missing(verb));
    }

    @Test
    void everyVerbIsInEveryPlace() {
        assertThat(VerbKind.all()).hasSizeGreaterThan(9);
        assertThat(VerbKind.all().stream().flatMap(EveryVerbTest::missing))
                .as("places of verbs; one that needs none is excused in ABSENCES, with a reason")
                .isEmpty();
    }

    @Test
    void everyExcusedAbsenceIsNeeded() {
        List<String> names = VerbKind.all().stream().map(VerbKind::name).toList();
        assertThat(ABSENCES).allSatisfy(absence -> assertThat(names).containsAll(absence.verbs));
        assertThat(VerbKind.all())
                .allSatisfy(verb -> assertThat(VerbPlace.values())
                        .filteredOn(place -> isExcused(place, verb) && place.has(verb))
                        .as("places that %s has though it is excused", verb.name())
                        .isEmpty());
    }
}
