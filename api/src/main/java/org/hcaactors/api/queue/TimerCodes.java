// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.hcaactors.api.error.VerbsException;

/** The times that a connection can have are few, each with a code: of those that are long enough, the shortest. */
final class TimerCodes {
    private static final int CODES = 32;

    private TimerCodes() {}

    /** 4.096 us doubled by each code from 1 on; 0 would be for ever (rule rc-timeout). */
    static int timeout(Duration least) {
        return first("timeout", least, CODES - 1, code -> Duration.ofNanos(4096L << code));
    }

    /** 10 us, and from there by a half and by a third in turn; the longest has no code left but 0 (rule rc-rnr-wait). */
    static int minRnrTimer(Duration least) {
        return first("RNR timer", least, CODES, TimerCodes::rnrTimer) % CODES;
    }

    private static Duration rnrTimer(int step) {
        int tensOfMicros = step == 1 || step % 2 == 0 ? 1 << step / 2 : 3 << (step - 3) / 2;
        return Duration.ofNanos(tensOfMicros * 10_000L);
    }

    private static int first(String what, Duration least, int last, IntFunction<Duration> time) {
        if (!least.isPositive()) {
            throw refused(what, least, last, time);
        }
        return IntStream.rangeClosed(1, last)
                .filter(code -> time.apply(code).compareTo(least) >= 0)
                .findFirst()
                .orElseThrow(() -> refused(what, least, last, time));
    }

    private static VerbsException refused(String what, Duration least, int last, IntFunction<Duration> time) {
        return VerbsException.invalid(
                "the " + what + " is " + least + "; more than zero, and at most " + time.apply(last) + ", is allowed");
    }
}
