// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.samples.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.LongStream;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.ConnectedPair;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A server reposts each receive at once, and leaves the message to a worker. The next message arrives in the buffer before the
 * worker has read it: one message is lost and another is read twice. Correct: copy first, then post.
 */
final class RepostedTooSoon {
    private static final int MESSAGES = 16;
    private static final int WINDOW = 4;
    private static final int BUFFERS = 2;

    /** Handling of a buffer with a message. */
    private interface Handing {
        void on(Executor worker, Runnable copy, Runnable post);
    }

    private static final Handing WRONG = (worker, copy, post) -> {
        post.run();
        worker.execute(copy);
    };

    private static final Handing RIGHT = (worker, copy, post) -> {
        worker.execute(() -> {
            copy.run();
            post.run();
        });
    };

    static Entry entry() {
        return Entry.of(
                RepostedTooSoon.class,
                "a receive is posted again before its message was copied",
                world -> new RepostedTooSoon(world, WRONG).run(world),
                world -> new RepostedTooSoon(world, RIGHT).run(world));
    }

    private final CompletableFuture<Void> all = new CompletableFuture<>();
    private final List<Long> read = new ArrayList<>();
    private final Handing handing;
    private final RcEnd client;
    private final RcEnd server;
    private final Executor worker;
    private int sent;

    private RepostedTooSoon(World world, Handing handing) {
        this.handing = handing;
        ConnectedPair pair = world.connect(world.adapter("client"), world.adapter("server"));
        client = pair.a();
        server = pair.b();
        worker = world.executor(server.context().process(), 1);
    }

    private void run(World world) {
        for (int i = 0; i < BUFFERS; i++) {
            post(8L * i);
        }
        server.recvCq().forEachCompletion(this::received);
        for (int i = 0; i < WINDOW; i++) {
            send();
        }
        world.await(all);
        assertThat(read)
                .as("messages")
                .isEqualTo(LongStream.range(0, MESSAGES).boxed().toList());
    }

    private void received(CompletionCursor completion) {
        if (completion.isSuccess()) {
            long at = completion.workId();
            handing.on(worker, () -> copy(at), () -> post(at));
        }
    }

    private void post(long at) {
        server.postReceive(Receive.of(at, server.slice(at, 8)));
    }

    private void copy(long at) {
        read.add(server.memory().readLong(at));
        if (read.size() == MESSAGES) {
            all.complete(null);
        }
    }

    private void send() {
        if (sent < MESSAGES) {
            int message = sent++;
            client.memory().writeLong(8L * message, message);
            client.submit(Send.of(message, client.slice(8L * message, 8))).thenRun(this::send);
        }
    }
}
