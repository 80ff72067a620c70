// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.api.queue;

import java.time.Duration;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.hcaactors.api.error.VerbsException;

/** Codes of the timer values that IBA defines; each method returns the code of the shortest time that is long enough. */
final class TimerCodes {
    private static final int CODES = 32;

    private TimerCodes() {}

    /** 4.096 us x 2^code for codes from 1; code 0 would be infinite (rule rc-timeout). */
    static int timeout(Duration min) {
        return first("timeout", min, CODES - 1, code -> timeoutOf(code).orElseThrow());
    }

    /** Returns the time of a code, 0 to 31; empty if it is infinite. */
    static Optional<Duration> timeoutOf(int code) {
        return code == 0 ? Optional.empty() : Optional.of(Duration.ofNanos(4096L << code));
    }

    /** Returns the time of a code, 0 to 31. */
    static Duration minRnrTimerOf(int code) {
        return rnrTimer(code == 0 ? CODES : code);
    }

    /** From 10 us on, times grow by a half and by a third in turn; the longest has code 0 (rule rc-rnr-wait). */
    static int minRnrTimer(Duration min) {
        return first("RNR timer", min, CODES, TimerCodes::rnrTimer) % CODES;
    }

    private static Duration rnrTimer(int step) {
        int tensOfMicros = step == 1 || step % 2 == 0 ? 1 << step / 2 : 3 << (step - 3) / 2;
        return Duration.ofNanos(tensOfMicros * 10_000L);
    }

    private static int first(String what, Duration min, int last, IntFunction<Duration> time) {
        if (!min.isPositive()) {
            throw refused(what, min, last, time);
        }
        return IntStream.rangeClosed(1, last)
                .filter(code -> time.apply(code).compareTo(min) >= 0)
                .findFirst()
                .orElseThrow(() -> refused(what, min, last, time));
    }

    private static VerbsException refused(String what, Duration min, int last, IntFunction<Duration> time) {
        return VerbsException.invalid(
                "the " + what + " is " + min + "; more than 0, and at most " + time.apply(last) + ", is allowed");
    }
}
