// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.work.Receive;

/** Posts receives in waves, so that some messages are too early. In the end there is one for each. */
final class ReceiveWaves {
    private static final int BEFORE_THE_FIRST = 20;
    private static final int AHEAD = 10;
    /** Where a queue has 128 places, and nothing was taken. */
    private static final int MAX_AHEAD = 100;

    private final SweepNode site;
    private final SplittableRandom random;
    private final Consumer<Receive> queue;
    private int posted;
    private int requested;

    ReceiveWaves(SweepNode site, SplittableRandom random, Consumer<Receive> queue) {
        this(site, random, queue, BEFORE_THE_FIRST);
    }

    /** @param first that are there before the first message */
    ReceiveWaves(SweepNode site, SplittableRandom random, Consumer<Receive> queue, int first) {
        this.site = site;
        this.random = random;
        this.queue = queue;
        upTo(first);
    }

    /** One more message may be under way. */
    void oneMore() {
        requested++;
        if (random.nextInt(6) == 0) {
            upTo(requested + AHEAD);
        }
    }

    /** As many as there can be messages. */
    void all() {
        upTo(requested);
    }

    private void upTo(int max) {
        for (; posted < Math.min(max, requested + MAX_AHEAD); posted++) {
            Receive receive = Receive.of(posted, site.receive(posted));
            quietly(() -> queue.accept(receive));
        }
    }

    /** Where disasters strike or a strand ends its own queue pair, posting may be refused, and that is an end, too. */
    static void quietly(Runnable posting) {
        try {
            posting.run();
        } catch (VerbsException refused) {
            // The queue pair or its queue is gone or full: nothing was posted.
        }
    }
}
