// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.SplittableRandom;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.fabric.link.LinkProperties;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;

/**
 * READs over a slow link by a requester whose timeout is shorter than the answers take: a flood of duplicates of requests that
 * are being answered. It has its own adapters.
 */
final class ShortTimeoutReads implements Workload {
    private static final int MAX_BYTES = 8192;
    private static final int MAX_READS = 16;
    private static final int BATCH = 8;
    private static final int MAX = 40;
    /** A packet of 1 KiB takes 8 us. */
    private static final LinkProperties SLOW = LinkProperties.of(500, 1_000_000_000L);

    private final SplittableRandom random;
    private final QueuePairLife life;
    private final Ends<RcEnd> ends;
    private int posted;

    ShortTimeoutReads(SweepContext sweep) {
        random = sweep.random("impatience");
        Side from = sweep.apart("impatient", SLOW, random, MAX_BYTES);
        Side to = sweep.apart("slow", SLOW, random, MAX_BYTES);
        life = sweep.promises().life("impatience", Status.RETRY_EXC_ERR);
        // 8 or 16 us.
        RcConnection attributes = RcConnection.DEFAULT
                .withTimeoutCode(1 + random.nextInt(2))
                .withRetryCount(6)
                .withRdAtomic(1 + random.nextInt(MAX_READS));
        ends = sweep.connected(Half.on(from), Half.on(to), attributes);
    }

    @Override
    public void step() {
        for (int i = 0; i < BATCH && posted < MAX; i++) {
            posted++;
            int bytes = random.nextInt(MAX_BYTES + 1);
            RdmaRead read =
                    RdmaRead.of(posted, ends.a().slice(0, bytes), ends.b().remote(0));
            life.add("READ " + posted, ends.a().submit(read), () -> {});
        }
    }
}
