// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.LongStream;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A logger alternates between two send buffers, even if the last SEND of a buffer is only posted. The adapter reads the buffer
 * when it sends or retransmits, so records are lost or sent twice. Correct: wait until its SEND has completed.
 */
final class SendBufferReuse {
    private static final int RECORDS = 12;
    private static final int BUFFERS = 2;

    /** Time of a buffer's reuse. */
    private interface Turn {
        CompletionStage<?> after(CompletionStage<?> lastSend);
    }

    private static final Turn WRONG = lastSend -> CompletableFuture.completedStage(null);

    private static final Turn RIGHT = lastSend -> lastSend;

    static Entry entry() {
        return Entry.of(
                SendBufferReuse.class,
                "a send buffer is written again before its SEND has completed",
                world -> run(world, WRONG),
                world -> run(world, RIGHT));
    }

    private final List<CompletionStage<?>> lastSends = new ArrayList<>();
    private final RcEnd log;
    private final Turn turn;

    private SendBufferReuse(RcEnd log, Turn turn) {
        this.log = log;
        this.turn = turn;
        for (int i = 0; i < BUFFERS; i++) {
            lastSends.add(CompletableFuture.completedStage(null));
        }
    }

    private static void run(World world, Turn turn) {
        ConnectedPair pair = world.connect(world.adapter("service"), world.adapter("store"));
        RcEnd store = pair.b();
        List<Long> stored = new ArrayList<>();
        CompletableFuture<Void> all = new CompletableFuture<>();
        for (int i = 0; i < RECORDS; i++) {
            store.postReceive(Receive.of(8L * i, store.slice(8L * i, 8)));
        }
        store.recvCq().completions().subscribe(Subscribers.forEach(record -> {
            stored.add(store.memory().readLong(record.workId()));
            if (stored.size() == RECORDS) {
                all.complete(null);
            }
        }));
        SendBufferReuse logger = new SendBufferReuse(pair.a(), turn);
        Executor thread = world.executor(pair.a().context().process(), 1);
        LongStream.range(0, RECORDS).forEach(record -> thread.execute(() -> logger.append(record)));
        world.await(all);
        assertThat(stored)
                .as("records at the store")
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, RECORDS).boxed().toList());
    }

    private void append(long record) {
        int buffer = (int) (record % BUFFERS);
        lastSends.set(buffer, turn.after(lastSends.get(buffer)).thenCompose(free -> send(record, 8L * buffer)));
    }

    private CompletionStage<?> send(long record, long at) {
        log.memory().writeLong(at, record);
        return log.submit(Send.of(record, log.slice(at, 8)));
    }
}
