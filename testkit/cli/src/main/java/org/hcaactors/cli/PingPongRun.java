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

/** A message that travels back and forth, as in ibv_rc_pingpong and its siblings. */
final class PingPongRun {
    private final Ends<?> pair;
    private final int bytes;
    private final long rounds;
    private final CompletableFuture<Long> finished = new CompletableFuture<>();
    private volatile long played;

    PingPongRun(Ends<?> pair, int bytes, long rounds) {
        this.pair = pair;
        this.bytes = bytes;
        this.rounds = rounds;
    }

    /** Plays the given number of rounds; the stage fails on a failed completion. */
    CompletionStage<Long> play() {
        Player left = new Player(pair.a(), this::returned);
        Player right = new Player(pair.b(), () -> true);
        right.pending.decrementAndGet();
        left.listen();
        right.listen();
        left.send();
        return finished;
    }

    /** Returns the number of completed rounds. */
    long played() {
        return played;
    }

    /** Counts a round; true if another one follows. */
    private boolean returned() {
        long now = played + 1;
        played = now;
        if (now == rounds) {
            finished.complete(now);
        }
        return now < rounds;
    }

    /** One side. It sends back when the message has arrived and its own last send is complete, as the original program does. */
    private final class Player {
        private final End end;
        private final BooleanSupplier hitsBack;

        /** Completions to await before the next send: of its own last send, and of the message. */
        private final AtomicInteger pending = new AtomicInteger(2);

        Player(End end, BooleanSupplier hitsBack) {
            this.end = end;
            this.hitsBack = hitsBack;
        }

        void listen() {
            receive();
            end.sendCq().completions().subscribe(Subscribers.forEach(this::taken, finished::completeExceptionally));
            end.recvCq().completions().subscribe(Subscribers.forEach(this::taken, finished::completeExceptionally));
        }

        private void taken(WorkCompletion completion) {
            if (!completion.isSuccess()) {
                finished.completeExceptionally(new IllegalStateException(
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
            end.post(Send.of(1, end.slice(0, bytes)).withSignaled());
        }
    }
}
