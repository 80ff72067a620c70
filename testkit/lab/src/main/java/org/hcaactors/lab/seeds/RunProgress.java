// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.Map;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.world.World;

/**
 * Progress of a world at the end of one of its tests, which the next test subtracts.
 *
 * @param struck number of strikes of each kind of fault
 * @param faults number of armed faults
 */
public record RunProgress(long packets, Map<FaultKind, Long> struck, int faults) {
    public static final RunProgress NOTHING = new RunProgress(0, Map.of(), 0);

    public static RunProgress of(World world) {
        return new RunProgress(
                world.trace().of(FabricEvent.Sent.class).count(),
                world.faults().struck(),
                world.faults().plan().faults().size());
    }
}
