// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

import java.io.Serializable;

/** Range of values, both ends included. Immutable. */
public record ValueRange(long min, long max) implements Serializable {
    /** IllegalArgumentException for an empty range. */
    public ValueRange {
        if (min > max) {
            throw new IllegalArgumentException("the minimum " + min + " is greater than the maximum " + max);
        }
    }

    public boolean contains(long value) {
        return min <= value && value <= max;
    }
}
