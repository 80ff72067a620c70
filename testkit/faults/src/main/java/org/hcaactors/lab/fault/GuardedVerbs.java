// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.Optional;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;

/** Guard before every verb of a world's programs, so that verbs can fail. Used on the world's thread. */
@SuppressWarnings("exports") // The type is internal to the adapter.
public final class GuardedVerbs implements VerbGuard {
    private VerbGuard rule = VerbGuard.NONE;

    /** Sets the guard that decides from now on. */
    public void setGuard(VerbGuard other) {
        rule = other;
    }

    @Override
    public Optional<VerbsException> refusal(String adapter, String process, Verb verb, Object on) {
        return rule.refusal(adapter, process, verb, on);
    }
}
