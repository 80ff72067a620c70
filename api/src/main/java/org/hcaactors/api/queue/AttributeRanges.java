// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import org.hcaactors.api.error.VerbsException;

/** Ranges of connection attributes on any adapter; a profile may allow less. */
final class AttributeRanges {
    private static final int MAX_PSN = 0xFF_FFFF;
    private static final int MAX_CODE = 31;
    private static final int MAX_RETRIES = 7;
    private static final int MAX_RD_ATOMIC = 255;

    private AttributeRanges() {}

    static int psn(String what, int psn) {
        if (psn < 0 || psn > MAX_PSN) {
            throw VerbsException.invalid("the %s is 0x%x; 0 to 0x%x is allowed".formatted(what, psn, MAX_PSN));
        }
        return psn;
    }

    static int timerCode(String what, int code) {
        return within(what, code, MAX_CODE);
    }

    static int retries(String what, int count) {
        return within(what, count, MAX_RETRIES);
    }

    static int rdAtomic(int max) {
        return within("number of outstanding READs and atomics", max, MAX_RD_ATOMIC);
    }

    private static int within(String what, int value, int max) {
        if (value < 0 || value > max) {
            throw VerbsException.invalid("the " + what + " is " + value + "; 0 to " + max + " is allowed");
        }
        return value;
    }
}
