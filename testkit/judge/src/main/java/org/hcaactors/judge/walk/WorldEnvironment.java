// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.walk;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.lab.fault.Fault;
import org.hcaactors.lab.fault.PacketAction;
import org.hcaactors.lab.world.World;

/**
 * A walk's ground in a world: its weather is what was armed before.
 *
 * @param adapters where the walk's processes live
 */
public record WorldEnvironment(World world, List<Adapter> adapters, FaultProfile severity) implements WalkEnvironment {
    private static final int SLICES = 1000;

    private static final Duration SLICE = Duration.ofNanos(1000);

    /** Longer than any back-off and any row of time-outs that a walk draws. */
    private static final Duration REST = Duration.ofSeconds(600);

    /** With the weather that the world's faults make. */
    public static WorldEnvironment of(World world, List<Adapter> adapters) {
        return new WorldEnvironment(world, adapters, weatherOf(world));
    }

    private static FaultProfile weatherOf(World world) {
        List<Fault> faults = world.faults().plan().faults();
        if (faults.isEmpty()) {
            return FaultProfile.FAIR;
        }
        if (faults.stream().anyMatch(WorldEnvironment::isForged)) {
            return FaultProfile.HOSTILE;
        }
        if (faults.stream().allMatch(WorldEnvironment::isOfTheHost)) {
            return FaultProfile.SCARCE;
        }
        return faults.stream().allMatch(WorldEnvironment::isOfTheWire) ? FaultProfile.ROUGH : FaultProfile.DISASTER;
    }

    private static boolean isForged(Fault fault) {
        return fault instanceof Fault.OnPackets packets && packets.action() instanceof PacketAction.Forge;
    }

    /** What a walk has pinned stays, and single pages are all that it asks for. */
    private static boolean isOfTheHost(Fault fault) {
        return fault instanceof Fault.OnVerbs || fault instanceof Fault.Evict || fault instanceof Fault.Fragment;
    }

    private static boolean isOfTheWire(Fault fault) {
        return fault instanceof Fault.OnPackets
                || fault instanceof Fault.LinkDown
                || fault instanceof Fault.LinkChange
                || fault instanceof Fault.WithholdReceives;
    }

    @Override
    public boolean hasOneThread() {
        return true;
    }

    /** 65 us: longer than the way there and back behind full queues, and much shorter than most RNR waits. */
    @Override
    public int minTimeoutCode() {
        return 4;
    }

    @Override
    public void goOn(int nanos) {
        world.runFor(Duration.ofNanos(nanos));
    }

    @Override
    public boolean goOnUntil(BooleanSupplier done) {
        for (int i = 0; i < SLICES && !done.getAsBoolean(); i++) {
            world.runFor(SLICE);
        }
        return done.getAsBoolean();
    }

    @Override
    public boolean comeToRest() {
        world.heal(REST);
        return true;
    }
}
