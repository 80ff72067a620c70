// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A store posts receives for a header and a value of usual length, but does not count the header, so the longest values do not
 * fit. A message that is longer than its receive ends the connection at both ends. Correct: post receives for the longest
 * possible message.
 */
final class MessageTooLong {
    private static final int HEADER = 16;
    private static final int LONGEST_VALUE = 256;
    private static final int PUTS = 8;

    /** Length of a receive. */
    private static final int WRONG = LONGEST_VALUE;

    private static final int RIGHT = HEADER + LONGEST_VALUE;

    static Entry entry() {
        return Entry.of(
                MessageTooLong.class,
                "a message may be longer than its receive",
                world -> run(world, WRONG),
                world -> run(world, RIGHT));
    }

    private static void run(World world, int receiveBytes) {
        ConnectedPair pair = world.connect(world.adapter("client"), world.adapter("store"));
        RcEnd store = pair.b();
        for (int i = 0; i < PUTS; i++) {
            store.postReceive(Receive.of(i, store.slice(1024L * i, receiveBytes)));
        }
        SplittableRandom lengths = new SplittableRandom(world.seed());
        assertThat(world.await(put(pair.a(), PUTS, lengths)).status()).isEqualTo(Status.SUCCESS);
    }

    private static CompletionStage<WorkCompletion> put(RcEnd client, int values, SplittableRandom lengths) {
        int bytes = HEADER + lengths.nextInt(LONGEST_VALUE + 1);
        return client.submit(Send.of(values, client.slice(0, bytes)))
                .thenCompose(done -> done.isSuccess() && values > 1
                        ? put(client, values - 1, lengths)
                        : CompletableFuture.completedStage(done));
    }
}
