// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

/** The adapter's clock, in the ticks that completions are stamped with. */
public final class AdapterClock {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private AdapterClock() {}

    /** Of a clock of that many ticks a millisecond; kilohertz. */
    public static long of(long nanos, int kilohertz) {
        return nanos / NANOS_PER_MILLI * kilohertz + nanos % NANOS_PER_MILLI * kilohertz / NANOS_PER_MILLI;
    }
}
