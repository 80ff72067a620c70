// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.floor;

import com.typesafe.config.ConfigFactory;
import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The floor of work that changes threads: one bare actor on the adapter's dispatcher and one on the callers', and a token that
 * goes to and fro between them. A batch of completions that goes to a caller, and the requests that it posts then, can't come
 * back sooner unless others are under way at the same time.
 */
public final class HandOver implements AutoCloseable {
    private record Token(CountDownLatch done, long left) {}

    private final ActorSystem<Token> system =
            ActorSystem.create(Behaviors.setup(HandOver::guardian), "floor", ConfigFactory.load());

    /** Lets the token go to the callers' side and back that many times. */
    public void run(long times) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        system.tell(new Token(done, times));
        done.await();
    }

    private static Behavior<Token> guardian(ActorContext<Token> context) {
        ActorRef<Token> shard =
                context.spawn(Behaviors.setup(HandOver::shard), "shard", dispatcher("hca.device-dispatcher"));
        return Behaviors.receiveMessage(token -> {
            shard.tell(token);
            return Behaviors.same();
        });
    }

    private static Behavior<Token> shard(ActorContext<Token> context) {
        ActorRef<Token> self = context.getSelf();
        Behavior<Token> back = Behaviors.receiveMessage(token -> {
            self.tell(new Token(token.done, token.left - 1));
            return Behaviors.same();
        });
        ActorRef<Token> caller = context.spawn(back, "caller", dispatcher("hca.caller-dispatcher"));
        return Behaviors.receiveMessage(token -> {
            if (token.left == 0) {
                token.done.countDown();
            } else {
                caller.tell(token);
            }
            return Behaviors.same();
        });
    }

    private static DispatcherSelector dispatcher(String path) {
        return DispatcherSelector.fromConfig(path);
    }

    @Override
    public void close() {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
    }
}
