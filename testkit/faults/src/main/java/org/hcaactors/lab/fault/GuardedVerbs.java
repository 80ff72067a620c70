// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.Optional;
import org.hcaactors.adapter.stage.VerbGuard;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;

/** Stands before every verb of a world's programs, so that it can fail. Belongs to the world's thread. */
@SuppressWarnings("exports") // The adapter's side of it.
public final class GuardedVerbs implements VerbGuard {
    private VerbGuard rule = VerbGuard.NONE;

    /** From now on that one says which are refused. */
    public void judgeBy(VerbGuard other) {
        rule = other;
    }

    @Override
    public Optional<VerbsException> refusal(String adapter, String process, Verb verb, Object on) {
        return rule.refusal(adapter, process, verb, on);
    }
}
