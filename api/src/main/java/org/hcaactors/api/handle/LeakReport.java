// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.handle;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Objects that were created and not closed, oldest first.
 *
 * <p>Immutable.
 */
public record LeakReport(List<Leak> leaks) {
    /**
     * An object that was not closed. Immutable.
     *
     * @param adapter name of the adapter
     * @param process name of the process that created it
     * @param description the object, as from {@link Handle#describe}
     */
    public record Leak(String adapter, String process, String description) {
        @Override
        public String toString() {
            return adapter + "/" + process + ": " + description;
        }
    }

    public LeakReport {
        leaks = List.copyOf(leaks);
    }

    public boolean isEmpty() {
        return leaks.isEmpty();
    }

    /** Returns one line per object. */
    @Override
    public String toString() {
        return isEmpty()
                ? "no object was left open"
                : leaks.stream()
                        .map(Leak::toString)
                        .collect(Collectors.joining(
                                "\n",
                                leaks.size() + (leaks.size() == 1 ? " object was" : " objects were") + " left open:\n",
                                ""));
    }
}
