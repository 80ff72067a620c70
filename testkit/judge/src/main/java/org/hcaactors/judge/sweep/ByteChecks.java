// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.Arrays;

/** Checks the bytes moved by successful requests. */
final class ByteChecks {
    private ByteChecks() {}

    /** Compares the bytes; throws AssertionError with the first difference. */
    static void same(String what, byte[] requested, byte[] found) {
        int at = Arrays.mismatch(requested, found);
        if (at >= 0) {
            throw new AssertionError(what + " ended with SUCCESS, but its byte " + at + " is " + found[at]
                    + " instead of " + requested[at]);
        }
    }
}
