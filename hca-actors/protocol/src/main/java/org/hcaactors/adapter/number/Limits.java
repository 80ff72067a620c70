// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.number;

import org.hcaactors.api.error.VerbsException;

/** What is asked for, beside what an adapter allows. */
public final class Limits {
    private Limits() {}

    /** The value; VerbsException (EINVAL) outside its bounds. */
    public static int within(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw VerbsException.invalid(what + " is " + value + "; " + least + " to " + most + " is allowed");
        }
        return value;
    }

    /** The next power of two, or 0; VerbsException (EINVAL) below 0 or above {@code most}. */
    public static int powerOfTwo(String what, int wanted, int most) {
        within(what, wanted, 0, most);
        int floor = Integer.highestOneBit(wanted);
        return floor == wanted ? floor : floor << 1;
    }
}
