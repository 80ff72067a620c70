// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hcaactors.lab.fault.FaultKind;
import org.hcaactors.lab.world.World;

/**
 * End of the run of one seed, as its test counts it.
 *
 * @param packets number of packets sent
 * @param struck how often each kind of fault struck; none of them 0 times
 * @param adapters number of adapters of the world
 * @param own faults that the test itself armed; empty if the run did not succeed
 */
public record SeedEnd(SeedTally.End end, long packets, Map<FaultKind, Long> struck, int adapters, List<OwnFault> own) {
    public SeedEnd {
        struck = Map.copyOf(struck);
        own = List.copyOf(own);
    }

    /** Returns the end of a run without a world. */
    static SeedEnd worldless(SeedTally.End end) {
        return new SeedEnd(end, 0, Map.of(), 0, List.of());
    }

    /**
     * Returns the end of a run.
     *
     * @param before progress of the world before the run, to be subtracted
     * @param prepared number of faults armed before the swarm's
     * @param swarms number of the swarm's faults
     */
    static SeedEnd of(World world, RunProgress before, int prepared, int swarms, SeedTally.End end) {
        RunProgress now = RunProgress.of(world);
        Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);
        now.struck()
                .forEach((kind, times) ->
                        struck.put(kind, times - before.struck().getOrDefault(kind, 0L)));
        struck.values().removeIf(times -> times == 0);
        boolean succeeded = end == SeedTally.End.AT_REST || end == SeedTally.End.BUSY;
        return new SeedEnd(
                end,
                now.packets() - before.packets(),
                struck,
                world.network().adapters().size(),
                succeeded ? OwnFaults.of(world.faults(), before.faults(), prepared, prepared + swarms) : List.of());
    }
}
