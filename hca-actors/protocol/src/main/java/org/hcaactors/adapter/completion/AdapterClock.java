// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

/** The adapter's clock, in ticks as in completion timestamps. */
public final class AdapterClock {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private AdapterClock() {}

    /** Converts nanoseconds to ticks of a clock with this frequency in kilohertz. */
    public static long of(long nanos, int kilohertz) {
        return nanos / NANOS_PER_MILLI * kilohertz + nanos % NANOS_PER_MILLI * kilohertz / NANOS_PER_MILLI;
    }
}
