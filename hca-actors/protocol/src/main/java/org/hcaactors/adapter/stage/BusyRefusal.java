// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** Refusal to destroy an object that is still in use, with the names of its first users. */
public final class BusyRefusal {
    private static final int NAMED = 8;

    private BusyRefusal() {}

    /**
     * Returns an EBUSY exception.
     *
     * @param what the refused object, and how it is used
     * @param name returns a user's name; called only for those that are named
     */
    public static <U> VerbsException because(String what, Collection<U> users, Function<U, String> name) {
        String named = users.stream().limit(NAMED).map(name).collect(Collectors.joining(", "));
        int more = users.size() - NAMED;
        return new VerbsException(Errno.EBUSY, what + " " + named + (more > 0 ? " and " + more + " more" : ""));
    }
}
