// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

/**
 * What a counter of an adapter counts, for whoever shows it.
 *
 * <p>Immutable.
 *
 * @param name that the driver or its kernel gives it
 * @param kind whether its value can fall
 * @param words what is counted, to follow the name
 */
public record CounterDescription(String name, Kind kind, String words) {
    /** Whether a value can fall. These are all that there are. */
    public enum Kind {
        /** Of all that happened since the adapter was plugged in: it never falls, and an adapter that starts anew goes on. */
        TOTAL,

        /** Of what there is now: it falls as it rises. */
        LEVEL
    }
}
