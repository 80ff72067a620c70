// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/** What was asked for cannot be done; the message says why, in a line for the one who asked. */
public final class TrendRefusal extends RuntimeException {
    public TrendRefusal(String message) {
        super(message);
    }
}
