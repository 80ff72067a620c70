// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import org.hcaactors.cli.gateway.Station;

/**
 * End of a run over a cable, once: the files are written, and faults and counters are printed. Ctrl-C brings it forward, as a run that waits
 * for another program cannot be asked to end. Thread-safe.
 */
final class RunEnd {
    private final WireOptions.Wire wire;
    private final Station station;
    private final CableOutput output;
    private final boolean counters;
    private boolean reported;

    /** @param counters all counters are printed */
    RunEnd(WireOptions.Wire wire, Station station, CableOutput output, boolean counters) {
        this.wire = wire;
        this.station = station;
        this.output = output;
        this.counters = counters;
    }

    /** @throws BadInputException if a file could not be written */
    synchronized void report() throws BadInputException {
        if (reported) {
            return;
        }
        reported = true;
        try {
            wire.end(output);
        } finally {
            if (counters) {
                output.counters(station, true);
            }
        }
    }

    void afterInterrupt() {
        try {
            report();
        } catch (BadInputException unwritable) {
            System.err.println("hca: " + unwritable.getMessage());
        }
    }
}
