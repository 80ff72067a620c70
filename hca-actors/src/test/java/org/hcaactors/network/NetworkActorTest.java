// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.testkit.typed.Effect;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;

/** The parent of a network's actors, message by message, without actor system and threads. */
class NetworkActorTest {
    private static final DispatcherSelector SHARD = DispatcherSelector.fromConfig("hca.device-dispatcher");

    private final BehaviorTestKit<NetworkActor.Command> actor = BehaviorTestKit.create(NetworkActor.create(SHARD));

    private CompletableFuture<ActorRef<String>> spawn(String name) {
        CompletableFuture<ActorRef<String>> spawned = new CompletableFuture<>();
        Behavior<String> child = Behaviors.ignore();
        actor.run(new NetworkActor.Spawn<>(child, name, spawned));
        return spawned;
    }

    @Test
    void actorsAreSpawnedOnTheFirstShard() {
        assertThat(spawn("fabric"))
                .isCompletedWithValueMatching(ref -> ref.path().name().equals("fabric"));
        Effect.Spawned<?> effect = actor.expectEffectClass(Effect.Spawned.class);
        assertThat(effect.childName()).isEqualTo("fabric");
        assertThat(effect.props()).isEqualTo(SHARD);
    }

    @Test
    void aNameInUseFailsTheSpawnOnly() {
        spawn("a");
        assertThat(spawn("a")).isCompletedExceptionally();
        assertThat(actor.isAlive()).isTrue();
        assertThat(spawn("b")).isCompleted();
    }

    @Test
    void stopEndsTheNetworkActor() {
        actor.run(new NetworkActor.Stop(new CompletableFuture<>()));
        assertThat(actor.isAlive()).isFalse();
    }
}
