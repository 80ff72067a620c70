// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A queue pair whose bell is silent for receives until it fails: it polls its ring in every turn, and in the end each receive
 * is flushed.
 */
@Tag("judge")
public class SilentBellThreadsTest {
    private final AtomicInteger mailbox = new AtomicInteger();
    private final WorkRing<Integer> ring = new WorkRing<>(16, mailbox::incrementAndGet);
    private final AtomicInteger put = new AtomicInteger();
    private int taken;

    public SilentBellThreadsTest() {
        ring.silence();
    }

    @Operation
    public void post() {
        if (ring.put(1)) {
            put.incrementAndGet();
        }
    }

    /** Returns the number of receives found; all that were posted before are among them. */
    @Operation(nonParallelGroup = "queue pair")
    public int packet() {
        int found = 0;
        if (ring.isSilenced()) {
            while (ring.poll() != null) {
                found++;
            }
        }
        taken += found;
        return found;
    }

    /** Flushes receives in the ring and later ones. */
    @Operation(nonParallelGroup = "queue pair")
    public void fail() {
        packet();
        ring.listen();
    }

    @Operation(nonParallelGroup = "queue pair")
    public void turn() {
        if (mailbox.get() > 0) {
            mailbox.decrementAndGet();
            while (ring.poll() != null) {
                taken++;
            }
            ring.rest();
        }
    }

    /** Connects the queue pair again. */
    @Operation(nonParallelGroup = "queue pair")
    public void restart() {
        ring.silence();
    }

    @Validate
    public void nothingIsForgotten() {
        while (mailbox.get() > 0) {
            turn();
        }
        packet();
        if (taken != put.get()) {
            throw new AssertionError(put + " put, and the queue pair sleeps with " + taken + " taken");
        }
    }

    @Test
    void aReceivePostedOnASilentRingIsFoundByTheNextPacket() {
        Interleavings.of(SilentBellThreadsTest.class)
                .thread("post", "post")
                .thread("packet", "packet")
                .after("packet")
                .inAnyOrder();
    }

    @Test
    void aReceivePostedWhileTheQueuePairFailsIsFlushed() {
        Interleavings.of(SilentBellThreadsTest.class)
                .thread("post", "post")
                .thread("fail", "turn")
                .inAnyOrder();
    }

    @Test
    void aReceivePostedDuringAFailureAndReconnectIsNotLost() {
        Interleavings.of(SilentBellThreadsTest.class)
                .thread("post", "post")
                .thread("fail", "turn", "restart", "packet", "fail")
                .inAnyOrder();
    }

    @Test
    void receivesPostedWhileTheQueuePairFailsAreAllFlushed() {
        Interleavings.of(SilentBellThreadsTest.class)
                .thread("post")
                .thread("post")
                .thread("fail", "turn")
                .inAnyOrder();
    }

    @Test
    void postedReceivesAreFlushedOnConcurrentThreads() {
        Interleavings.of(SilentBellThreadsTest.class)
                .thread("post", "post", "post")
                .thread("packet", "fail", "turn")
                .atOnce();
    }
}
