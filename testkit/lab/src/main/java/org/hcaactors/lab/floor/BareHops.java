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
import org.jspecify.annotations.Nullable;

/**
 * The floor: a ring of bare child actors on the adapter's dispatcher, through which tokens go round, one tell a hop. An
 * operation that passes as many actors one message at a time can't be faster.
 */
public final class BareHops implements AutoCloseable {
    private static final int HOPS = 8;

    private record Token(CountDownLatch done, long[] left) {}

    private final int tokens;
    private final ActorSystem<Token> system =
            ActorSystem.create(Behaviors.setup(BareHops::ring), "floor", ConfigFactory.load());

    /** @param tokens that go round at one time */
    public BareHops(int tokens) {
        this.tokens = tokens;
    }

    /** Lets the tokens go round until {@code laps} laps are done by all of them together. */
    public void run(long laps) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        long[] left = {laps};
        for (int i = 0; i < tokens; i++) {
            system.tell(new Token(done, left));
        }
        done.await();
    }

    private static Behavior<Token> ring(ActorContext<Token> context) {
        DispatcherSelector shard = DispatcherSelector.fromConfig("hca.device-dispatcher");
        ActorRef<Token>[] first = array();
        ActorRef<Token> next = context.spawn(last(first), "hop-" + HOPS, shard);
        for (int hop = HOPS - 1; hop >= 1; hop--) {
            ActorRef<Token> to = next;
            Behavior<Token> forward = Behaviors.receiveMessage(token -> {
                to.tell(token);
                return Behaviors.same();
            });
            next = context.spawn(forward, "hop-" + hop, shard);
        }
        first[0] = next;
        ActorRef<Token> start = next;
        return Behaviors.receiveMessage(token -> {
            start.tell(token);
            return Behaviors.same();
        });
    }

    private static Behavior<Token> last(ActorRef<Token>[] first) {
        return Behaviors.receiveMessage(token -> {
            if (--token.left[0] == 0) {
                token.done.countDown();
            }
            if (token.left[0] > 0) {
                first[0].tell(new Token(token.done, token.left));
            }
            return Behaviors.same();
        });
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ActorRef<Token>[] array() {
        return (ActorRef<Token>[]) new @Nullable ActorRef[1];
    }

    @Override
    public void close() {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
    }
}
