// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.Map;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.world.World;

/**
 * How far a world had come when one of its tests ended: what the next one is not asked about.
 *
 * @param struck how often each kind of fault
 * @param faults that were armed
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
