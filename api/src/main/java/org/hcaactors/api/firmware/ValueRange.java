// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

/** The values from one to another, both included. Immutable. */
public record ValueRange(long min, long max) {
    /** IllegalArgumentException for a range without a value. */
    public ValueRange {
        if (min > max) {
            throw new IllegalArgumentException("values from " + min + " to " + max);
        }
    }

    public boolean contains(long value) {
        return min <= value && value <= max;
    }
}
