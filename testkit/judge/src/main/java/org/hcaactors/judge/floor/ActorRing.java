// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.floor;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.log.Logging;
import org.jspecify.annotations.Nullable;

/**
 * Baseline benchmark: a ring of plain child actors in which tokens circulate, one tell per hop. An operation that passes as
 * many actors with one message each can't be faster.
 */
public final class ActorRing implements AutoCloseable {
    private static final int HOPS = 8;
    private static final String ADAPTER = "floor.one-thread";
    private static final String CALLERS = "floor.callers";

    /** Pekko's own dispatchers, not those of the project: a change of these must move the measured ratio. */
    private static final String DISPATCHERS = """
            floor {
              one-thread {
                executor = fork-join-executor
                fork-join-executor { parallelism-min = 1, parallelism-max = 1 }
                throughput = 64
              }
              callers {
                executor = fork-join-executor
                fork-join-executor { parallelism-min = 2, parallelism-max = 8, parallelism-factor = 1.0 }
                throughput = 16
              }
            }
            """;

    /** Timeout, longer than any measurement. */
    private static final int LONGEST_MINUTES = 10;

    private record Token(CountDownLatch done, long[] left) {}

    private final int tokens;
    private final ActorSystem<Token> system;

    /**
     * Creates a ring of eight hops on a dispatcher with one thread.
     *
     * @param tokens number of tokens in circulation
     */
    public ActorRing(int tokens) {
        this(tokens, Collections.nCopies(HOPS, ADAPTER));
    }

    private ActorRing(int tokens, List<String> dispatchers) {
        this.tokens = tokens;
        Logging.start();
        system = ActorSystem.create(Behaviors.setup(context -> ring(context, dispatchers)), "floor", configuration());
    }

    private static Config configuration() {
        return ConfigFactory.parseString(DISPATCHERS).withFallback(ConfigFactory.load());
    }

    /**
     * Creates a ring with one token and two hops on different threads: a dispatcher with one, and one for callers. A batch of
     * completions to a caller, and the requests that it then posts, can't make the round trip faster unless others are in
     * progress at the same time.
     */
    public static ActorRing betweenThreads() {
        return new ActorRing(1, List.of(ADAPTER, CALLERS));
    }

    /** Lets the tokens circulate until they have done {@code laps} laps in total. */
    public void run(long laps) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        long[] left = {laps};
        for (int i = 0; i < tokens; i++) {
            system.tell(new Token(done, left));
        }
        if (!done.await(LONGEST_MINUTES, TimeUnit.MINUTES)) {
            throw new IllegalStateException(laps + " laps took more than " + LONGEST_MINUTES + " minutes");
        }
    }

    private static Behavior<Token> ring(ActorContext<Token> context, List<String> dispatchers) {
        int hops = dispatchers.size();
        ActorRef<Token>[] first = array();
        ActorRef<Token> next = context.spawn(last(first), "hop-" + hops, on(dispatchers.get(hops - 1)));
        for (int hop = hops - 1; hop >= 1; hop--) {
            ActorRef<Token> to = next;
            Behavior<Token> forward = Behaviors.receiveMessage(token -> {
                to.tell(token);
                return Behaviors.same();
            });
            next = context.spawn(forward, "hop-" + hop, on(dispatchers.get(hop - 1)));
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

    private static DispatcherSelector on(String dispatcher) {
        return DispatcherSelector.fromConfig(dispatcher);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ActorRef<Token>[] array() {
        return (ActorRef<Token>[]) new @Nullable ActorRef[1];
    }

    @Override
    public void close() {
        system.terminate();
        system.getWhenTerminated()
                .toCompletableFuture()
                .orTimeout(1, TimeUnit.MINUTES)
                .join();
    }
}
