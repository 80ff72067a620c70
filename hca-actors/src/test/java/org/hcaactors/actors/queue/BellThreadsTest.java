// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A queue pair that polls its ring only after the bell has rung: at rest, the ring is empty. */
@Tag("judge")
public class BellThreadsTest {
    private final AtomicInteger mailbox = new AtomicInteger();
    private final WorkRing<Integer> ring = new WorkRing<>(16, mailbox::incrementAndGet);
    private final AtomicInteger put = new AtomicInteger();
    private int taken;

    @Operation
    public void post() {
        if (ring.put(1)) {
            put.incrementAndGet();
        }
    }

    @Operation(nonParallelGroup = "queue pair")
    public void turn() {
        if (mailbox.get() == 0) {
            return;
        }
        mailbox.decrementAndGet();
        while (ring.poll() != null) {
            taken++;
        }
        ring.rest();
    }

    @Validate
    public void nothingIsForgotten() {
        while (mailbox.get() > 0) {
            turn();
        }
        if (taken != put.get()) {
            throw new AssertionError(put + " put, and the queue pair sleeps with " + taken + " taken");
        }
    }

    @Test
    void noBellIsLost() {
        Interleavings.of(BellThreadsTest.class)
                .thread("post", "post")
                .thread("turn", "turn")
                .inAnyOrder();
    }

    @Test
    void noBellIsLostOfSeveral() {
        Interleavings.of(BellThreadsTest.class)
                .before("post")
                .thread("post")
                .thread("post")
                .thread("turn")
                .inAnyOrder();
    }

    @Test
    void noBellIsLostOnThreadsThatRunAtOnce() {
        Interleavings.of(BellThreadsTest.class)
                .thread("post", "post", "post")
                .thread("turn", "turn", "turn")
                .atOnce();
    }
}
