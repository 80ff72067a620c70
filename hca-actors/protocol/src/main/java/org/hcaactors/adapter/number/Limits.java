// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.number;

import org.hcaactors.api.error.VerbsException;

/** Checks of requested values against an adapter's limits. */
public final class Limits {
    private Limits() {}

    /** Returns the value; VerbsException (EINVAL) if it is out of bounds. */
    public static int within(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw VerbsException.invalid(what + " is " + value + "; " + min + " to " + max + " is allowed");
        }
        return value;
    }

    /** Returns the next power of two, or 0; VerbsException (EINVAL) below 0 or above {@code max}. */
    public static int powerOfTwo(String what, int requested, int max) {
        within(what, requested, 0, max);
        int floor = Integer.highestOneBit(requested);
        return floor == requested ? floor : floor << 1;
    }
}
