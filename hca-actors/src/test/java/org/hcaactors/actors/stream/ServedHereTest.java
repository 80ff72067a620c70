// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.LongConsumer;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.stream.FlowOutlet;
import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.adapter.stream.Outlet;
import org.hcaactors.adapter.stream.PollCommand;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Subscribers that are served in the turns of the stream's owner. */
class ServedHereTest {
    private static final Callers CALLERS = new Callers(Runnable::run, stage -> {}, DispatcherSelector.sameAsParent());

    private final List<Poller<GrantedElements<String>>> made = new ArrayList<>();
    private final List<PollCommand<GrantedElements<String>>> inbox = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final Subscriber subscriber = new Subscriber();
    private final BehaviorTestKit<Object> owner;
    private final Poller<GrantedElements<String>> poller;

    ServedHereTest() {
        owner = BehaviorTestKit.create(Behaviors.setup(context -> {
            for (int i = 0; i < 2; i++) {
                made.add(new Poller<>(context, inbox::add, CALLERS, "a stream", true));
            }
            return Behaviors.empty();
        }));
        poller = poller();
        poller.serveHere(new FlowOutlet<>(subscriber));
    }

    private Poller<GrantedElements<String>> poller() {
        return made.removeFirst();
    }

    /** Requests two elements at first, and runs the test's action for each. */
    private final class Subscriber implements Flow.Subscriber<String> {
        Flow.@Nullable Subscription given;
        LongConsumer onEach = count -> {};

        Flow.Subscription subscription() {
            return Objects.requireNonNull(given);
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            given = subscription;
            subscription.request(2);
        }

        @Override
        public void onNext(String element) {
            heard.add(element);
            onEach.accept(heard.size());
        }

        @Override
        public void onError(Throwable reason) {
            heard.add(reason.getClass().getSimpleName());
        }

        @Override
        public void onComplete() {
            heard.add("over");
        }
    }

    @Test
    void elementsAreDeliveredWithinTheOwnersTurnWithoutAnActor() {
        assertThat(poller.demand()).isEqualTo(2);
        poller.grant(GrantedElements.of(new String[] {"a", "b"}));
        assertThat(heard).containsExactly("a", "b");
        assertThat(poller.demand()).isZero();
        assertThat(poller.newlyDelivered()).isEqualTo(2);
        assertThat(owner.getAllEffects()).isEmpty();
        assertThat(inbox).isEmpty();
    }

    @Test
    void aRequestWithinATurnIsDemandInThatTurn() {
        subscriber.onEach = count -> subscriber.subscription().request(3);
        poller.grant(GrantedElements.of(new String[] {"a", "b"}));
        assertThat(poller.demand()).isEqualTo(6);
        assertThat(inbox).isEmpty();
    }

    @Test
    void aRequestOutsideATurnIsDemandInTheOwnersNextTurn() {
        assertThat(CompletableFuture.runAsync(() -> subscriber.subscription().request(3)))
                .as("the request of another thread")
                .succeedsWithin(Duration.ofSeconds(10));
        assertThat(poller.demand()).isEqualTo(2);
        hear();
        assertThat(poller.demand()).isEqualTo(5);
    }

    // Reactive Streams 3.9
    @Test
    void aRequestOfZeroFailsTheSubscriptionInTheOwnersTurn() {
        subscriber.subscription().request(0);
        assertThat(heard).isEmpty();
        hear();
        assertThat(heard).containsExactly("IllegalArgumentException");
        hear();
        assertThat(poller.isPolled()).isFalse();
    }

    @Test
    void noElementIsDeliveredAfterACancelWithinTheTurn() {
        subscriber.onEach = count -> subscriber.subscription().cancel();
        poller.grant(GrantedElements.of(new String[] {"a", "b"}));
        assertThat(heard).containsExactly("a");
        assertThat(poller.newlyDelivered()).isEqualTo(1);
        assertThat(hear()).containsExactly(1);
        assertThat(poller.isPolled()).isFalse();
    }

    @Test
    void aSubscriberThatThrowsIsEndedAndTheOwnerContinues() {
        subscriber.onEach = count -> {
            throw new IllegalStateException("a subscriber's own");
        };
        poller.grant(GrantedElements.of(new String[] {"a", "b"}));
        assertThat(heard).containsExactly("a");
        assertThat(hear()).containsExactly(1);
    }

    @Test
    void aWaitingSubscriberIsServedWhenTheOneBeforeHasEnded() {
        subscriber.subscription().cancel();
        poller.cancelled();
        Subscriber second = new Subscriber();
        poller.serveHere(new FlowOutlet<>(second));
        assertThat(second.given).isNull();
        poller.returned();
        assertThat(second.given).isNotNull();
        assertThat(poller.demand()).isEqualTo(2);
    }

    @Test
    void aSubscriberIsCompletedWithinTheOwnersTurn() {
        poller.complete();
        assertThat(heard).containsExactly("over");
        assertThat(poller.isEnding()).isFalse();
        assertThat(poller.isPolled()).isFalse();
    }

    @Test
    void aSubscriberIsNotifiedOfAFailureWithinTheOwnersTurn() {
        poller.fail(VerbsException.invalid("why"));
        assertThat(heard).containsExactly("VerbsException");
        assertThat(poller.isEnding()).isFalse();
    }

    @Test
    void aCancelledSubscriberIsNotifiedOnlyOfItsOwnersEnd() {
        Poller<GrantedElements<String>> other = poller();
        List<String> told = new ArrayList<>();
        other.serveHere(new Outlet<GrantedElements<String>>() {
            @Override
            public void opened(Flow.Subscription subscription) {
                subscription.cancel();
            }

            @Override
            public boolean deliver(GrantedElements<String> granted, int index) {
                return true;
            }

            @Override
            public void failed(Throwable reason) {
                told.add("failed");
            }

            @Override
            public void completed() {
                told.add("over");
            }

            @Override
            public void ownerStopped() {
                told.add("owner gone");
            }
        });
        other.cancelled();
        other.complete();
        assertThat(told).containsExactly("owner gone");
    }

    /** Runs the owner's pending turns; returns the number of elements that each cancellation returned. */
    private List<Integer> hear() {
        List<Integer> back = new ArrayList<>();
        while (!inbox.isEmpty()) {
            PollCommand<GrantedElements<String>> next = inbox.removeFirst();
            switch (next) {
                case PollCommand.Demanded<GrantedElements<String>> demanded -> poller.demanded(demanded.more());
                case PollCommand.Cancelled<GrantedElements<String>> cancelled -> poller.cancelled();
                case PollCommand.Returned<GrantedElements<String>> returned -> {
                    back.add(returned.undelivered());
                    poller.returned();
                }
            }
        }
        return back;
    }
}
