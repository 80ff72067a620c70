// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.setup;

import java.time.Duration;
import java.util.stream.Stream;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.world.World;
import org.hcaactors.network.RdmaNetwork;

/** Ends in a world of their own. */
record WorldEnds(World world, Adapter a, Adapter b) implements TwoEnds {
    /** Time in which everything under way arrives. */
    private static final Duration SOON = Duration.ofMillis(1);

    static TwoEnds apart(long seed, Profile profile) {
        World world = World.of(seed);
        return new WorldEnds(world, adapter(world, "a", profile), adapter(world, "b", profile));
    }

    static TwoEnds in(World world, String a, String b) {
        return new WorldEnds(world, world.adapter(a), world.adapter(b));
    }

    static TwoEnds ofOneAdapter(long seed, Profile profile) {
        World world = World.of(seed);
        Adapter both = adapter(world, "a", profile);
        return new WorldEnds(world, both, both);
    }

    private static Adapter adapter(World world, String name, Profile profile) {
        return world.network().addAdapter(name, profile, World.DEFAULT_LINK, Layout.HOST);
    }

    @Override
    public RdmaNetwork network() {
        return world.network();
    }

    @Override
    public RcConnection terms() {
        return RcConnection.DEFAULT;
    }

    @Override
    public int rounds(int inVirtualTime) {
        return inVirtualTime;
    }

    @Override
    public void eventually(Runnable assertion) {
        world.runFor(SOON);
        assertion.run();
    }

    @Override
    public <E extends TraceEvent> Stream<E> traced(Class<E> kind) {
        return world.trace().of(kind);
    }

    @Override
    public void close() {
        world.close();
    }
}
