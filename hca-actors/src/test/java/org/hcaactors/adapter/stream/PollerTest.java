// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.api.stream.Subscribers;
import org.junit.jupiter.api.Test;

class PollerTest {
    /** The signal of a subscription that was cancelled may come after its successor was told that the stream is over. */
    @Test
    void anOwnerWhoseStreamIsOverLivesUntilItsLastSubscriptionEnds() {
        List<Poller<String>> made = new ArrayList<>();
        BehaviorTestKit<Object> owner = BehaviorTestKit.create(Behaviors.setup(context -> {
            Poller<String> poller = new Poller<>(context, poll -> {}, Runnable::run, "a stream", false);
            poller.subscribe(Subscribers.forEach(element -> {}), DispatcherSelector.defaultDispatcher());
            poller.cancelled();
            poller.subscribe(Subscribers.forEach(element -> {}), DispatcherSelector.defaultDispatcher());
            poller.returned();
            made.add(poller);
            return Behaviors.empty();
        }));
        Poller<String> poller = made.getFirst();
        ActorRef<Void> first = owner.childInbox("subscription-1").getRef().unsafeUpcast();
        ActorRef<Void> second = owner.childInbox("subscription-2").getRef().unsafeUpcast();
        assertThat(poller.complete()).isFalse();
        assertThat(poller.isLast(first)).isFalse();
        assertThat(poller.isLast(second)).isTrue();
    }
}
