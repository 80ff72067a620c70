// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.Optional;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;

/** Who may refuse a program's verbs before they begin: the bench does, on purpose. Called on callers' threads; must not block. */
@FunctionalInterface
public interface VerbGuard {
    /** Nobody does. */
    VerbGuard NONE = (adapter, process, verb, on) -> Optional.empty();

    /**
     * Empty where it may begin.
     *
     * @param on the object whose verb it is, in words where it is asked for them; an empty text where it makes one
     */
    Optional<VerbsException> refusal(String adapter, String process, Verb verb, Object on);
}
