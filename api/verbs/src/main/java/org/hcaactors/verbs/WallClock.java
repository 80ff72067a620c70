// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.verbs;

import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Times of day of moments that an adapter's clock has counted ({@code ibv_wc_read_completion_wallclock_ns}). Any thread.
 *
 * @param ticks the adapter's clock now
 * @param kilohertz its frequency
 * @param slower factor by which it is slower than the system's
 */
record WallClock(LongSupplier ticks, int kilohertz, int slower) {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** Returns nanoseconds since 1970. */
    long nanosAt(long moment) {
        Instant now = Instant.now();
        long ago = ticks.getAsLong() - moment;
        long nanosAgo = (ago / kilohertz * NANOS_PER_MILLI + ago % kilohertz * NANOS_PER_MILLI / kilohertz) * slower;
        return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano() - nanosAgo;
    }
}
