// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.End;
import org.hcaactors.lab.pair.Ends;

/** A message goes to and fro: what ibv_rc_pingpong and its siblings play. */
final class PingPongRun {
    private final Ends<?> pair;
    private final int bytes;
    private final long rounds;
    private final CompletableFuture<Long> over = new CompletableFuture<>();
    private volatile long played;

    PingPongRun(Ends<?> pair, int bytes, long rounds) {
        this.pair = pair;
        this.bytes = bytes;
        this.rounds = rounds;
    }

    /** Done when that many rounds were played; failed on a bad completion. */
    CompletionStage<Long> play() {
        Player left = new Player(pair.a(), this::returned);
        Player right = new Player(pair.b(), () -> true);
        right.pending.decrementAndGet();
        left.listen();
        right.listen();
        left.send();
        return over;
    }

    /** Rounds so far. */
    long played() {
        return played;
    }

    /** True if the ball is to be played once more. */
    private boolean returned() {
        long now = played + 1;
        played = now;
        if (now == rounds) {
            over.complete(now);
        }
        return now < rounds;
    }

    /** One side: it hits back when the ball has come and its own last stroke is complete, as the classic program does. */
    private final class Player {
        private final End end;
        private final BooleanSupplier hitsBack;

        /** Completions awaited before the next stroke: of its own last one, and of the ball. */
        private final AtomicInteger pending = new AtomicInteger(2);

        Player(End end, BooleanSupplier hitsBack) {
            this.end = end;
            this.hitsBack = hitsBack;
        }

        void listen() {
            receive();
            end.sendCq().completions().subscribe(Subscribers.forEach(this::taken, over::completeExceptionally));
            end.recvCq().completions().subscribe(Subscribers.forEach(this::taken, over::completeExceptionally));
        }

        private void taken(WorkCompletion completion) {
            if (!completion.isSuccess()) {
                over.completeExceptionally(new IllegalStateException(
                        "request " + completion.workId() + " ended with " + completion.status()));
            } else if (pending.decrementAndGet() == 0) {
                pending.set(2);
                if (hitsBack.getAsBoolean()) {
                    receive();
                    send();
                }
            }
        }

        private void receive() {
            end.postReceive(Receive.of(2, end.slice(bytes, end.transport().headroomBytes() + bytes)));
        }

        void send() {
            end.post(Send.of(1, end.slice(0, bytes)).signaled());
        }
    }
}
