// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.shrink;

import java.time.Duration;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.fault.PacketMatch;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;

/** A program with its own faults; one of them is armed late, and counts from then on. Fails if it waits for two timers. */
public final class ArmsItsOwn {
    private ArmsItsOwn() {}

    public static void run(World world) {
        ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
        world.faults().on(PacketMatch.packet().ack()).every(2).delay(Duration.ofNanos(700));
        write(world, pair, 5);
        world.faults()
                .after(Duration.ofNanos(1))
                .answerRnr(pair.b().adapter(), pair.b().qp(), 1);
        world.faults()
                .on(PacketMatch.packet().ack().where("own code", transit -> true))
                .nth(99)
                .drop();
        world.faults().on(PacketMatch.packet().ack()).every(3).drop();
        write(world, pair, 12);
        if (world.adapter("a").counters().getOrDefault("local_ack_timeout_err", 0L) > 1) {
            throw new IllegalStateException("too slow");
        }
    }

    private static void write(World world, ConnectedPair pair, int count) {
        for (int i = 0; i < count; i++) {
            world.await(pair.a()
                    .qp()
                    .submit(RdmaWrite.of(i, pair.a().slice(0, 64), pair.b().remote(0))));
        }
    }
}
