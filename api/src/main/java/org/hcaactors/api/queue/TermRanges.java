// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import org.hcaactors.api.error.VerbsException;

/** What fields of a connection hold, whatever the adapter; less may be allowed where they are used. */
final class TermRanges {
    private static final int MOST_PSN = 0xFF_FFFF;
    private static final int MOST_CODE = 31;
    private static final int MOST_RETRIES = 7;
    private static final int MOST_RD_ATOMIC = 255;

    private TermRanges() {}

    static int psn(String what, int psn) {
        if (psn < 0 || psn > MOST_PSN) {
            throw VerbsException.invalid("the %s is 0x%x; 0 to 0x%x is allowed".formatted(what, psn, MOST_PSN));
        }
        return psn;
    }

    static int timerCode(String what, int code) {
        return within(what, code, MOST_CODE);
    }

    static int retries(String what, int count) {
        return within(what, count, MOST_RETRIES);
    }

    static int rdAtomic(int most) {
        return within("number of READs and atomics", most, MOST_RD_ATOMIC);
    }

    private static int within(String what, int value, int most) {
        if (value < 0 || value > most) {
            throw VerbsException.invalid("the " + what + " is " + value + "; 0 to " + most + " is allowed");
        }
        return value;
    }
}
