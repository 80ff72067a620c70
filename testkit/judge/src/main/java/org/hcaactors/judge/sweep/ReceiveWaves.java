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
    private static final int MOST_AHEAD = 100;

    private final Site site;
    private final SplittableRandom lots;
    private final Consumer<Receive> queue;
    private int posted;
    private int wanted;

    ReceiveWaves(Site site, SplittableRandom lots, Consumer<Receive> queue) {
        this(site, lots, queue, BEFORE_THE_FIRST);
    }

    /** @param first that are there before the first message */
    ReceiveWaves(Site site, SplittableRandom lots, Consumer<Receive> queue, int first) {
        this.site = site;
        this.lots = lots;
        this.queue = queue;
        upTo(first);
    }

    /** One more message may be under way. */
    void oneMore() {
        wanted++;
        if (lots.nextInt(6) == 0) {
            upTo(wanted + AHEAD);
        }
    }

    /** As many as there can be messages. */
    void all() {
        upTo(wanted);
    }

    private void upTo(int most) {
        for (; posted < Math.min(most, wanted + MOST_AHEAD); posted++) {
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
