// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.world.World;

/** A program that plugs in adapters during its run, and of which no request may fail; pasted source calls it, too. */
public final class ServedStore {
    private ServedStore() {}

    public static void run(World world) {
        world.runFor(Duration.ofMillis(5));
        ConnectedPair pair = world.connect(world.adapter("client.5"), world.adapter("store"));
        for (int i = 0; i < 12; i++) {
            RdmaWrite write = RdmaWrite.of(i, pair.a().slice(0, 3000), pair.b().remote(0));
            WorkCompletion done = world.await(pair.a().qp().submit(write), Duration.ofMinutes(1));
            assertThat(done.status()).as("end of request").isEqualTo(Status.SUCCESS);
        }
    }
}
