// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.seeds;

import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;

/** A program that tests itself without JUnit. */
public final class PlainProgram {
    private PlainProgram() {}

    /** Number of seeds that ran, and the failure. */
    public static String run() {
        AtomicInteger runs = new AtomicInteger();
        try {
            RdmaTests.seeds(5).run(world -> {
                ConnectedPair pair = world.connect(world.adapter("a"), world.adapter("b"));
                world.await(pair.a()
                        .qp()
                        .submit(RdmaWrite.of(1, pair.a().slice(0, 64), pair.b().remote(0))));
                if (runs.incrementAndGet() == 4) {
                    throw new AssertionError("the fourth");
                }
            });
            return "green";
        } catch (RdmaFailure failed) {
            return runs + " runs: " + failed.getMessage();
        }
    }
}
