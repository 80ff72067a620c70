// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.stream.FlowOutlet;
import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.adapter.stream.Outlet;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.stream.Subscribers;
import org.junit.jupiter.api.Test;

class PollerTest {
    private static final Callers CALLERS = new Callers(Runnable::run, stage -> {}, DispatcherSelector.sameAsParent());

    private final List<Poller<GrantedElements<String>>> made = new ArrayList<>();

    /** The signal of a cancelled subscription may arrive after its successor was notified of the end of the stream. */
    @Test
    void anOwnerWhoseStreamIsOverLivesUntilItsLastSubscriptionEnds() {
        BehaviorTestKit<Object> owner = BehaviorTestKit.create(Behaviors.setup(context -> {
            Poller<GrantedElements<String>> poller = new Poller<>(context, poll -> {}, CALLERS, "a stream", false);
            poller.subscribe(
                    new FlowOutlet<String>(Subscribers.forEach(element -> {})), DispatcherSelector.defaultDispatcher());
            poller.cancelled();
            poller.subscribe(
                    new FlowOutlet<String>(Subscribers.forEach(element -> {})), DispatcherSelector.defaultDispatcher());
            poller.returned();
            made.add(poller);
            return Behaviors.empty();
        }));
        Poller<GrantedElements<String>> poller = made.getFirst();
        ActorRef<Void> first = owner.childInbox("subscription-1").getRef().unsafeUpcast();
        ActorRef<Void> second = owner.childInbox("subscription-2").getRef().unsafeUpcast();
        poller.complete();
        assertThat(poller.wasEnding(first)).isFalse();
        assertThat(poller.isEnding()).isTrue();
        assertThat(poller.wasEnding(second)).isTrue();
        assertThat(poller.isEnding()).isFalse();
    }

    /** A failed subscription still has to notify its subscriber when another one follows and the owner is closed. */
    @Test
    void anOwnerWithFailedStreamsLivesUntilEverySubscriberIsNotified() {
        BehaviorTestKit<Object> owner = BehaviorTestKit.create(Behaviors.setup(context -> {
            Poller<GrantedElements<String>> poller = new Poller<>(context, poll -> {}, CALLERS, "a stream", false);
            for (int i = 0; i < 2; i++) {
                poller.subscribe(
                        new FlowOutlet<String>(Subscribers.forEach(element -> {})),
                        DispatcherSelector.defaultDispatcher());
                poller.fail(VerbsException.invalid("over"));
            }
            poller.complete();
            made.add(poller);
            return Behaviors.empty();
        }));
        Poller<GrantedElements<String>> poller = made.getFirst();
        for (String name : List.of("subscription-2", "subscription-1")) {
            assertThat(poller.isEnding()).isTrue();
            ActorRef<Void> child = owner.childInbox(name).getRef().unsafeUpcast();
            assertThat(poller.wasEnding(child)).isTrue();
        }
        assertThat(poller.isEnding()).isFalse();
    }

    /** The subscription stops with its owner, and the last message in its mailbox is lost. */
    @Test
    void aStoppingOwnerReportsTheEndOfTheStream() {
        List<String> heard = new ArrayList<>();
        BehaviorTestKit.create(Behaviors.setup(context -> {
            Poller<GrantedElements<String>> poller = new Poller<>(context, poll -> {}, CALLERS, "a stream", false);
            poller.subscribe(new Listens(heard, "the owner is gone"), DispatcherSelector.defaultDispatcher());
            poller.complete();
            poller.ownerStopped();
            return Behaviors.empty();
        }));
        assertThat(heard).containsExactly("the owner is gone");
    }

    /** @param word recorded when its owner is gone */
    private record Listens(List<String> heard, String word) implements Outlet<GrantedElements<String>> {
        @Override
        public void opened(Flow.Subscription subscription) {}

        @Override
        public boolean deliver(GrantedElements<String> granted, int index) {
            return true;
        }

        @Override
        public void failed(Throwable reason) {}

        @Override
        public void completed() {}

        @Override
        public void ownerStopped() {
            heard.add(word);
        }
    }

    /** The subscription was cancelled and had not stopped when the stream ended, so it was not notified of the end. */
    @Test
    void aCancelledSubscriptionReportsTheStreamsEndWhenItStops() {
        List<String> told = new ArrayList<>();
        BehaviorTestKit<Object> owner = BehaviorTestKit.create(Behaviors.setup(context -> {
            Poller<GrantedElements<String>> poller = new Poller<>(context, poll -> {}, CALLERS, "a stream", false);
            poller.subscribe(new Listens(told, "owner gone"), DispatcherSelector.defaultDispatcher());
            poller.cancelled();
            poller.complete();
            made.add(poller);
            return Behaviors.empty();
        }));
        ActorRef<Void> child = owner.childInbox("subscription-1").getRef().unsafeUpcast();
        assertThat(told).isEmpty();
        assertThat(made.getFirst().wasEnding(child)).isTrue();
        assertThat(told).containsExactly("owner gone");
    }
}
