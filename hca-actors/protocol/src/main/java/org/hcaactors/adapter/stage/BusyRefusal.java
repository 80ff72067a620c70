// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stage;

import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;

/** The refusal of what is still used, which names the first of its users. */
public final class BusyRefusal {
    private static final int NAMED = 8;

    private BusyRefusal() {}

    /**
     * EBUSY.
     *
     * @param what is refused, and how it is used
     * @param name of a user; asked of those that are named
     */
    public static <U> VerbsException because(String what, Collection<U> users, Function<U, String> name) {
        String named = users.stream().limit(NAMED).map(name).collect(Collectors.joining(", "));
        int more = users.size() - NAMED;
        return new VerbsException(Errno.EBUSY, what + " " + named + (more > 0 ? " and " + more + " more" : ""));
    }
}
