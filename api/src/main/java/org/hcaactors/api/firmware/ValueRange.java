// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.firmware;

/** The values from one to another, both included. Immutable. */
public record ValueRange(long least, long most) {
    /** IllegalArgumentException for a range without a value. */
    public ValueRange {
        if (least > most) {
            throw new IllegalArgumentException("values from " + least + " to " + most);
        }
    }

    public boolean contains(long value) {
        return least <= value && value <= most;
    }
}
