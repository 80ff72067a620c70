// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Arrays;

/** Whether what a request that succeeded moved is there. */
final class Bytes {
    private Bytes() {}

    /** AssertionError with the first byte that is another. */
    static void same(String what, byte[] wanted, byte[] found) {
        int at = Arrays.mismatch(wanted, found);
        if (at >= 0) {
            throw new AssertionError(
                    what + " ended with SUCCESS, but its byte " + at + " is " + found[at] + " and not " + wanted[at]);
        }
    }
}
