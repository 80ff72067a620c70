// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.fault;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.Verb;

/**
 * The verb calls that a fault matches: {@code verb(CREATE_CQ).of(process)}. Immutable.
 *
 * @param verbs any of these; if empty, all
 * @param process name of the calling process; any, if empty
 * @param adapter name of the adapter; any, if empty
 */
public record VerbMatch(Set<Verb> verbs, Optional<String> process, Optional<String> adapter) {
    public VerbMatch {
        verbs = verbs.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(verbs));
    }

    /** Matches every call of one of these verbs; without verbs, of all that can fail with the errno. */
    public static VerbMatch verb(Verb... any) {
        Set<Verb> verbs = EnumSet.noneOf(Verb.class);
        Collections.addAll(verbs, any);
        return new VerbMatch(verbs, Optional.empty(), Optional.empty());
    }

    public VerbMatch of(HostProcess caller) {
        return of(caller.name());
    }

    /** Restricts to the process of that name, which need not exist yet. */
    public VerbMatch of(String caller) {
        return new VerbMatch(verbs, Optional.of(caller), adapter);
    }

    public VerbMatch on(Adapter other) {
        return new VerbMatch(verbs, process, Optional.of(other.name()));
    }

    /** @throws IllegalArgumentException if one of the verbs cannot fail with it */
    void check(Errno errno) {
        for (Verb verb : verbs) {
            if (!verb.errnos().contains(errno)) {
                throw new IllegalArgumentException(verb.cName() + " cannot fail with " + errno + "; "
                        + verb.errnos().stream().map(Errno::name).collect(Collectors.joining(", ")) + " are allowed");
            }
        }
        if (Arrays.stream(Verb.values()).noneMatch(verb -> verb.errnos().contains(errno))) {
            throw new IllegalArgumentException("no verb fails with " + errno);
        }
    }

    /** True if it matches the call; without verbs, calls of any verb that can fail with the errno. */
    boolean holds(String adapterName, String caller, Verb verb, Errno errno) {
        return (verbs.isEmpty() ? verb.errnos().contains(errno) : verbs.contains(verb))
                && process.map(caller::equals).orElse(true)
                && adapter.map(adapterName::equals).orElse(true);
    }

    /** Returns {@code create_cq of store on a}. */
    @Override
    public String toString() {
        String which =
                verbs.isEmpty() ? "verb" : verbs.stream().map(Verb::cName).collect(Collectors.joining(" or "));
        return which
                + process.map(caller -> " of " + caller).orElse("")
                + adapter.map(name -> " on " + name).orElse("");
    }
}
