// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.Optional;
import java.util.SplittableRandom;
import org.hcaactors.api.error.Verb;

/** Execution of a fault on verbs: counts matching calls, and decides which of them fail. */
final class VerbRule {
    private final int number;
    private final Fault.OnVerbs fault;
    private final SplittableRandom random;
    private long matches;

    /** @param number of the fault in the plan */
    VerbRule(int number, Fault.OnVerbs fault, SplittableRandom random) {
        this.number = number;
        this.fault = fault;
        this.random = random;
    }

    int number() {
        return number;
    }

    Fault.OnVerbs fault() {
        return fault;
    }

    /** Returns the number of the call among the matching ones if it fails; it is counted in any case. */
    Optional<Long> judge(String adapter, String process, Verb verb, long nanos) {
        if (!fault.moments().include(nanos) || !fault.match().holds(adapter, process, verb, fault.errno())) {
            return Optional.empty();
        }
        matches++;
        return fault.trigger().strikes(matches, random) ? Optional.of(matches) : Optional.empty();
    }
}
