// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.views.flow.TestkitEvent;

/** Execution of faults on verbs: decides which calls are refused. Used on the world's thread. */
final class VerbFaults {
    private final FaultTarget arena;
    private final BiConsumer<FiredFault, Fault> notes;
    private final List<VerbRule> rules = new ArrayList<>();

    /** @param notes receives each firing, and the fault that does the same without randomness */
    VerbFaults(FaultTarget arena, BiConsumer<FiredFault, Fault> notes) {
        this.arena = arena;
        this.notes = notes;
    }

    void arm(VerbRule rule) {
        if (rules.isEmpty()) {
            arena.guardVerbs(this::judge);
        }
        rules.add(rule);
    }

    void stop() {
        rules.clear();
    }

    /** Every rule counts the call, as with packets. */
    private Optional<VerbsException> judge(String adapter, String process, Verb verb, Object on) {
        Optional<VerbsException> refusal = Optional.empty();
        for (VerbRule each : rules) {
            Optional<Long> strike = each.judge(adapter, process, verb, arena.now());
            if (strike.isPresent() && refusal.isEmpty()) {
                refusal = Optional.of(refused(each, strike.get(), new Call(adapter, process, verb, on.toString())));
            }
        }
        return refusal;
    }

    /** @param on empty if the verb creates an object */
    private record Call(String adapter, String process, Verb verb, String on) {
        String words() {
            return verb.cName() + " of " + process + (on.isEmpty() ? "" : " on " + on);
        }
    }

    private VerbsException refused(VerbRule rule, long match, Call call) {
        Fault.OnVerbs fault = rule.fault();
        String reason = "\"" + fault.words() + "\"";
        arena.tell(
                call.adapter,
                TestkitEvent.ofVerb(call.verb.cName()),
                call.words() + " fails with " + fault.errno() + ": " + reason);
        notes.accept(new FiredFault(rule.number(), match, arena.now(), call.words()), fault.nth(match));
        return new VerbsException(fault.errno(), call.words() + " because of an injected fault: " + reason);
    }
}
