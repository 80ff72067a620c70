// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.trend;

/** Thrown if a request can't be done; the message gives the user the reason in one line. */
public final class TrendRefusal extends RuntimeException {
    public TrendRefusal(String message) {
        super(message);
    }
}
