// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.work.Receive;

/** Posts receives in waves, so that some messages arrive too early. At the end there is one for each message. */
final class ReceiveWaves {
    private static final int BEFORE_THE_FIRST = 20;
    private static final int AHEAD = 10;
    /** For a queue with 128 slots from which no receive was taken. */
    private static final int MAX_AHEAD = 100;

    private final SweepNode site;
    private final SplittableRandom random;
    private final Consumer<Receive> queue;
    private int posted;
    private int requested;

    ReceiveWaves(SweepNode site, SplittableRandom random, Consumer<Receive> queue) {
        this(site, random, queue, BEFORE_THE_FIRST);
    }

    /**
     * Creates the waves.
     *
     * @param first number of receives posted before the first message
     */
    ReceiveWaves(SweepNode site, SplittableRandom random, Consumer<Receive> queue, int first) {
        this.site = site;
        this.random = random;
        this.queue = queue;
        upTo(first);
    }

    /** Counts one more message, and posts a wave occasionally. */
    void oneMore() {
        requested++;
        if (random.nextInt(6) == 0) {
            upTo(requested + AHEAD);
        }
    }

    /** Posts as many receives as there can be messages. */
    void all() {
        upTo(requested);
    }

    private void upTo(int max) {
        for (; posted < Math.min(max, requested + MAX_AHEAD); posted++) {
            Receive receive = Receive.of(posted, site.receive(posted));
            quietly(() -> queue.accept(receive));
        }
    }

    /** Runs a post that may be refused, since a disaster or the workload itself may have ended the queue pair. */
    static void quietly(Runnable posting) {
        try {
            posting.run();
        } catch (VerbsException refused) {
            // The queue pair or its queue is gone or full: nothing was posted.
        }
    }
}
