// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.Set;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;

/**
 * A packet that left the fabric of one recorded run and entered that of another.
 *
 * @param left its arrival at the border
 * @param entered its sending by the other border
 */
record Crossing(Side left, Side entered) {
    /** The borders of fabrics: of a cable, and of a node of a cluster. */
    static final Set<String> BORDERS = Set.of("cable", "cluster");

    /**
     * An event of one of the runs.
     *
     * @param run position of the run
     */
    record Side(int run, TraceEvent event) {}

    /** True for a packet that leaves, also with a wrong ICRC. */
    static boolean leaves(TraceEvent event) {
        return (event instanceof FabricEvent.Delivered || event instanceof FabricEvent.Corrupted)
                && BORDERS.contains(event.port());
    }

    /** True for a packet that enters; one with a wrong ICRC is a forged one there. */
    static boolean enters(TraceEvent event) {
        return (event instanceof FabricEvent.Sent || event instanceof FabricEvent.Forged)
                && BORDERS.contains(event.port());
    }
}
