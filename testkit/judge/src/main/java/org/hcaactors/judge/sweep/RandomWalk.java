// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.handle.LeakReport;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.judge.walk.Walk;
import org.hcaactors.judge.walk.WorldEnvironment;
import org.hcaactors.lab.chance.RandomStreams;
import org.hcaactors.lab.world.World;

/** A random walk over the verbs, on two adapters whose profiles and cables the seed draws. */
final class RandomWalk {
    private static final int STEPS = 220;
    /** Percentage of walks with tag matching. They use a random stream of their own, so that the other walks do not change. */
    private static final int TAGS_PERCENT = 30;

    private RandomWalk() {}

    static Result run(World world) {
        SplittableRandom random = RandomStreams.of(world.seed(), "walk");
        LinkProperties link = random.nextInt(4) == 0
                ? LinkProperties.IDEAL
                : LinkProperties.of(200 + random.nextInt(2000), 10_000_000_000L);
        List<Adapter> adapters = List.of(adapter(world, "a", random, link), adapter(world, "b", random, link));
        boolean comparesTags = RandomStreams.of(world.seed(), "walks over tags").nextInt(100) < TAGS_PERCENT;
        Walk.Sum sum = new Walk(WorldEnvironment.of(world, adapters), random, "walker", comparesTags).walk(STEPS);
        LeakReport left = world.network().leaks();
        if (!left.isEmpty()) {
            throw new AssertionError("every process has exited, but " + left);
        }
        long packets = world.trace().of(FabricEvent.Sent.class).count();
        return new Result(packets, sum.succeeded(), sum.failed());
    }

    private static Adapter adapter(World world, String name, SplittableRandom random, LinkProperties link) {
        return world.network().addAdapter(name, random.nextInt(3) == 0 ? Profile.SOFT_ROCE : Profile.CONNECTX_5, link);
    }
}
