// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A writer closes its queue pair when it has posted its last block. Closing flushes outstanding requests and waits for none of
 * them, so the end of the file is missing at the store. Correct: close after the last completion.
 */
final class ClosedTooEarly {
    private static final int BLOCKS = 16;
    private static final int BYTES = 4096;

    /** End of the writer. */
    private interface Ending {
        CompletionStage<Void> of(RcEnd writer, CompletionStage<?> lastBlock);
    }

    private static final Ending WRONG = (writer, lastBlock) -> writer.qp().closeAsync();

    private static final Ending RIGHT =
            (writer, lastBlock) -> lastBlock.thenCompose(done -> writer.qp().closeAsync());

    static Entry entry() {
        return Entry.of(
                ClosedTooEarly.class,
                "a queue pair is closed while its work is under way",
                world -> run(world, WRONG),
                world -> run(world, RIGHT));
    }

    private static void run(World world, Ending ending) {
        ConnectedPair pair = world.connect(world.adapter("writer"), world.adapter("store"));
        RcEnd writer = pair.a();
        RcEnd store = pair.b();
        CompletionStage<?> last = CompletableFuture.completedStage(null);
        for (int i = 0; i < BLOCKS; i++) {
            long at = (long) i * BYTES;
            writer.memory().writeLong(at + BYTES - 8, i + 1);
            last = writer.submit(RdmaWrite.of(i, writer.slice(at, BYTES), store.remote(at)));
        }
        world.await(ending.of(writer, last));
        for (int i = 0; i < BLOCKS; i++) {
            assertThat(store.memory().readLong((i + 1L) * BYTES - 8))
                    .as("block %d", i)
                    .isEqualTo(i + 1);
        }
    }
}
