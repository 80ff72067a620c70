// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.number;

import org.hcaactors.api.error.VerbsException;

/** What is asked for, beside what an adapter allows. */
public final class Limits {
    private Limits() {}

    /** The value; VerbsException (EINVAL) outside its bounds. */
    public static int within(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw VerbsException.invalid(what + " is " + value + "; " + min + " to " + max + " is allowed");
        }
        return value;
    }

    /** The next power of two, or 0; VerbsException (EINVAL) below 0 or above {@code max}. */
    public static int powerOfTwo(String what, int requested, int max) {
        within(what, requested, 0, max);
        int floor = Integer.highestOneBit(requested);
        return floor == requested ? floor : floor << 1;
    }
}
