// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A mover READs a block into a buffer and WRITEs the buffer elsewhere, on one queue pair. The WRITE is sent before the READ is
 * answered, and copies old bytes. Correct: fence the WRITE, or post it after the READ has completed.
 */
final class CopiedUnfenced {
    private static final int BYTES = 4096;
    private static final long COPY = 1 << 16;

    /** Posting of the WRITE. */
    private interface Order {
        RdmaWrite behindRead(RdmaWrite write);
    }

    private static final Order WRONG = write -> write;

    private static final Order RIGHT = write -> write.withFence();

    static Entry entry() {
        return Entry.of(
                CopiedUnfenced.class,
                "a WRITE of what a READ brings is not fenced",
                world -> run(world, WRONG),
                world -> run(world, RIGHT));
    }

    private static void run(World world, Order order) {
        ConnectedPair pair = world.connect(world.adapter("mover"), world.adapter("store"));
        RcEnd mover = pair.a();
        RcEnd store = pair.b();
        store.memory().writeLong(0, 42);

        mover.post(RdmaRead.of(1, mover.slice(0, BYTES), store.remote(0)));
        RdmaWrite write = RdmaWrite.of(2, mover.slice(0, BYTES), store.remote(COPY));
        assertThat(world.await(mover.submit(order.behindRead(write))).isSuccess())
                .isTrue();
        assertThat(store.memory().readLong(COPY)).as("the copy").isEqualTo(42);
    }
}
