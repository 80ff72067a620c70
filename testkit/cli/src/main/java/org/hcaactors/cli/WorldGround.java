// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import static org.hcaactors.lab.fault.PacketMatch.packet;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;

/** A world, in which all adapters of the tour are. */
final class WorldGround implements TourGround {
    private static final int MOST = 16;

    private final World world;

    WorldGround(World world) {
        this.world = world;
    }

    @Override
    public Optional<World> world() {
        return Optional.of(world);
    }

    @Override
    public Adapter near(String name, Profile profile) {
        return world.network().addAdapter(name, profile, World.DEFAULT_LINK);
    }

    @Override
    public Adapter far(String name, Profile profile) {
        return near(name, profile);
    }

    @Override
    public RdmaNetwork network() {
        return world.network();
    }

    @Override
    public RcConnection terms(RcConnection wanted) {
        return wanted;
    }

    @Override
    public void settle() {
        world.settle();
    }

    @Override
    public void runFor(Duration time) {
        world.runFor(time);
    }

    @Override
    public void until(BooleanSupplier condition, Duration within) {
        world.runFor(within);
    }

    @Override
    public List<WorkCompletion> poll(CompletionQueue queue, int count, Duration within) {
        world.runFor(within);
        return world.await(queue.poll(MOST));
    }

    @Override
    public List<TraceEvent> events() {
        return world.trace().events();
    }

    @Override
    public void loseNext(Opcode opcode) {
        world.faults().on(packet().opcode(opcode)).first().drop();
    }

    @Override
    public void evict(DeviceContext user, HostMemory memory) {
        world.faults().now().evict(user, memory);
    }

    @Override
    public void fragment(Adapter far, int blockBytes) {
        world.faults().now().fragment(far, blockBytes);
    }
}
