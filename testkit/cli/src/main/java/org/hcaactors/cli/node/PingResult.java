// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.node;

import java.util.Locale;

/**
 * Result of pings to an adapter, each of which was READ by its node and written back. Immutable.
 *
 * @param to name of the adapter
 * @param bytes of a ping
 */
public record PingResult(String to, long pings, int bytes, long nanos) {
    /** Returns microseconds of a ping, there and back. */
    public double micros() {
        return nanos / 1e3 / Math.max(1, pings);
    }

    /** Returns the rate of both directions together. */
    public double gigabitsPerSecond() {
        return 2.0 * bytes * pings * Byte.SIZE / Math.max(1, nanos);
    }

    /** Returns it as a line for readers. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "ping       %s: %d pings of %d bytes, %.2f usec/ping, %.2f Gbit/sec",
                to,
                pings,
                bytes,
                micros(),
                gigabitsPerSecond());
    }
}
