// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Arrays;

/** Whether what a request that succeeded moved is there. */
final class ByteChecks {
    private ByteChecks() {}

    /** AssertionError with the first byte that is another. */
    static void same(String what, byte[] requested, byte[] found) {
        int at = Arrays.mismatch(requested, found);
        if (at >= 0) {
            throw new AssertionError(what + " ended with SUCCESS, but its byte " + at + " is " + found[at] + " and not "
                    + requested[at]);
        }
    }
}
