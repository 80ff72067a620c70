// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.vnic;

import org.hcaactors.api.error.VerbsException;

/**
 * The machine that the driver is loaded on. Immutable.
 *
 * @param processors online, 1 to 65,536
 * @param vectors of completions that the adapter has, 1 to 65,536
 * @param mtu of the virtual NIC, 68 to {@value #MOST_MTU}
 */
public record RingHost(int processors, int vectors, int mtu) {
    public static final int DEFAULT_MTU = 1500;

    /** What an InfiniBand MTU of 4096 leaves for a frame. */
    public static final int MOST_MTU = 4034;

    private static final int LEAST_MTU = 68;
    private static final int MANY = 1 << 16;

    /** VerbsException (EINVAL) for what no machine has. */
    public RingHost {
        within("processors", processors, 1, MANY);
        within("vectors", vectors, 1, MANY);
        within("mtu", mtu, LEAST_MTU, MOST_MTU);
    }

    private static void within(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw VerbsException.invalid(what + " is " + value + "; " + least + " to " + most + " is allowed");
        }
    }
}
