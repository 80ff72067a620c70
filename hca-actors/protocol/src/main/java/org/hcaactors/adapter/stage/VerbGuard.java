// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.Optional;
import org.hcaactors.api.error.Verb;
import org.hcaactors.api.error.VerbsException;

/**
 * Interceptor that may refuse a program's verbs before they begin; tests use it for fault injection. Called on callers'
 * threads; must not block.
 */
@FunctionalInterface
public interface VerbGuard {
    /** Refuses nothing. */
    VerbGuard NONE = (adapter, process, verb, on) -> Optional.empty();

    /**
     * Returns why the verb is refused; empty if it may begin.
     *
     * @param on the object of the verb, whose string form names it; an empty text for a verb that creates an object
     */
    Optional<VerbsException> refusal(String adapter, String process, Verb verb, Object on);
}
