// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.mad;

/** Check of fields that are narrower than their Java types: a wider value would change the field beside it. */
final class FieldWidth {
    private FieldWidth() {}

    /** @throws IllegalArgumentException if the value needs more than that many bits */
    static void check(String field, int value, int bits) {
        if (value >>> bits != 0) {
            throw new IllegalArgumentException(
                    "the " + field + " is " + value + "; 0 to " + ((1L << bits) - 1) + " is allowed");
        }
    }
}
