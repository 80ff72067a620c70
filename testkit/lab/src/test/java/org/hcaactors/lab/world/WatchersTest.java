// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pekko notifies the watchers of a stopped actor in an order that differs in every run; a world's order is fixed. */
class WatchersTest {
    private static final int WATCHERS = 8;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void watchersAreNotifiedInTheSameOrderInEveryRun(long seed) {
        assertThat(told(seed)).hasSize(WATCHERS).isEqualTo(told(seed));
    }

    private static List<String> told(long seed) {
        List<String> order = new ArrayList<>();
        try (World world = World.of(seed)) {
            ActorRef<String> watched = world.system()
                    .systemActorOf(Behaviors.receive((context, any) -> Behaviors.stopped()), "watched", Props.empty());
            for (int i = 0; i < WATCHERS; i++) {
                world.system().systemActorOf(watching(watched, order), "watcher-" + i, Props.empty());
            }
            world.settle();
            watched.tell("end");
            world.settle();
        }
        return order;
    }

    private static Behavior<String> watching(ActorRef<String> watched, List<String> order) {
        return Behaviors.setup(context -> {
            context.watch(watched);
            return Behaviors.receive(String.class)
                    .onSignal(Terminated.class, end -> {
                        order.add(context.getSelf().path().name());
                        return Behaviors.same();
                    })
                    .build();
        });
    }
}
