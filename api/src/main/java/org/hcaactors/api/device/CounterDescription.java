// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.device;

/**
 * Description of an adapter's counter for display.
 *
 * <p>Immutable.
 *
 * @param name its name in the driver or kernel
 * @param kind whether its value can decrease
 * @param description what is counted; follows the name in a sentence
 */
public record CounterDescription(String name, Kind kind, String description) {
    /** Whether a value can decrease. These are all that there are. */
    public enum Kind {
        /** A total since the adapter was plugged in: it never decreases, also over restarts of the adapter. */
        COUNTER,

        /** A current level: it rises and falls. */
        GAUGE
    }
}
