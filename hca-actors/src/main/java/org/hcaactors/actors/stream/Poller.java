// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.adapter.stream.DeclinedSubscription;
import org.hcaactors.adapter.stream.DeliveredCount;
import org.hcaactors.adapter.stream.GrantedElements;
import org.hcaactors.adapter.stream.Outlet;
import org.hcaactors.adapter.stream.PollCommand;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Polling side of a stream, for the actor that owns the elements: at most one subscription, its demand and its cancellation. A
 * subscriber that arrives while another one is closing waits; otherwise a second one is refused.
 *
 * @param <G> a batch of granted elements
 */
public final class Poller<G extends GrantedElements<?>> {
    /** Maximum number of elements in one message to a subscription. */
    public static final int MAX_GRANT = 256;

    /** @param dispatcher where it is served; null: in the owner's turns */
    private record Waiting<G>(
            Outlet<? super G> outlet, @Nullable DispatcherSelector dispatcher) {}

    private record Ending<G>(ActorRef<SubscriptionActor.Command<G>> subscription, Outlet<? super G> outlet) {}

    private final ActorContext<?> context;
    private final Consumer<PollCommand<G>> inbox;
    private final Callers callers;
    private final String name;
    private final boolean readsDelivered;

    /** Actor of the polling subscription, or the delivery in the owner's turns. */
    private @Nullable ActorRef<SubscriptionActor.Command<G>> subscription;

    private @Nullable Delivery<G> servedHere;

    @MutationPoint("poller.next")
    private @Nullable Waiting<G> next;

    private int count;

    @MutationPoint("poller.demand")
    private long demand;

    /** Subscriptions whose subscriber may not have been notified of the end of the stream yet; they end with their owner. */
    @MutationPoint("poller.telling")
    private final List<Ending<G>> ending = new ArrayList<>(1);

    /** Outlet of the polling subscription. */
    private @Nullable Outlet<? super G> outlet;

    private @Nullable DeliveredCount delivered;
    private boolean closing;

    /**
     * @param inbox sends the subscription's messages to the owner
     * @param callers where refused subscribers are notified
     * @param name of the stream, for refusals and the log
     * @param readsDelivered the owner reads {@link #newlyDelivered} when needed, instead of receiving messages about returned elements
     */
    public Poller(
            ActorContext<?> context,
            Consumer<PollCommand<G>> inbox,
            Callers callers,
            String name,
            boolean readsDelivered) {
        this.readsDelivered = readsDelivered;
        this.context = context;
        this.inbox = inbox;
        this.callers = callers;
        this.name = name;
    }

    /** True if a subscription polls or waits. */
    public boolean isPolled() {
        return subscription != null || servedHere != null;
    }

    /** Returns the number of elements that may be granted now, at most {@link #MAX_GRANT}. */
    public int demand() {
        return !isPolled() || closing ? 0 : (int) Math.min(demand, MAX_GRANT);
    }

    /** Grants at most {@link #demand} elements. */
    public void grant(G elements) {
        if (!isPolled()) {
            throw new IllegalStateException(name + " has no subscription");
        }
        demand -= elements.size();
        send(new SubscriptionActor.Granted<>(elements));
    }

    /** Returns the number of elements handed to the subscriber since the last call; only if the owner reads it. */
    public int newlyDelivered() {
        return delivered == null ? 0 : delivered.newlyDelivered();
    }

    /** Serves a subscriber on that dispatcher. */
    public void subscribe(Outlet<? super G> requested, DispatcherSelector dispatcher) {
        subscribe(new Waiting<>(requested, dispatcher));
    }

    /**
     * Serves a subscriber in the owner's turns, which saves a turn for each grant; it must not block. It may request elements
     * at once, and whenever elements are granted.
     */
    public void serveHere(Outlet<? super G> requested) {
        subscribe(new Waiting<>(requested, null));
    }

    private void subscribe(Waiting<G> requested) {
        if (closing && next == null) {
            next = requested;
        } else if (isPolled()) {
            refuse(requested.outlet, new VerbsException(Errno.EBUSY, name + " is polled by another subscription"));
        } else {
            demand = 0;
            outlet = requested.outlet;
            delivered = readsDelivered ? new DeliveredCount() : null;
            int number = ++count;
            if (requested.dispatcher == null) {
                servedHere = new Delivery<>(
                        name,
                        number,
                        inbox,
                        requested.outlet,
                        delivered,
                        more -> inbox.accept(new PollCommand.Demanded<>(number, more, 0)),
                        callers);
                send(new SubscriptionActor.Started<>());
            } else {
                subscription = context.spawn(
                        SubscriptionActor.create(name, number, inbox, requested.outlet, delivered, callers),
                        "subscription-" + number,
                        requested.dispatcher);
                context.watch(subscription);
            }
        }
    }

    private void send(SubscriptionActor.Command<G> command) {
        Delivery<G> delivery = servedHere;
        if (delivery != null) {
            delivery.take(command);
            addDemand(delivery.takeDemand());
        } else if (subscription != null) {
            subscription.tell(command);
        }
    }

    public void refuse(Outlet<? super G> requested, VerbsException reason) {
        callers.execute(() -> DeclinedSubscription.decline(requested, reason));
    }

    /**
     * True if the stopped child is the polling subscription: the owner takes back the undelivered elements and then calls
     * {@link #returned}.
     */
    public boolean isSubscription(ActorRef<Void> child) {
        return subscription != null && subscription.path().equals(child.path());
    }

    /** True if the stopped child had been notified that the stream is over. */
    @MutationPoint("poller.was-told")
    public boolean wasEnding(ActorRef<Void> child) {
        Optional<Ending<G>> one = ending.stream()
                .filter(each -> each.subscription.path().equals(child.path()))
                .findFirst();
        one.ifPresent(ended -> {
            ending.remove(ended);
            // A subscriber that was cancelled before has not been notified of the end.
            ended.outlet.ownerStopped();
        });
        return one.isPresent();
    }

    /**
     * True if a subscriber may not have been notified of the end of the stream yet: the owner must not stop, because
     * subscriptions are its children.
     */
    public boolean isEnding() {
        return !ending.isEmpty();
    }

    /** True if the message belongs to an earlier subscription and must be ignored. */
    public boolean isStale(PollCommand<G> poll) {
        return !isPolled() || poll.subscription() != count;
    }

    @MutationPoint("poller.demanded")
    public void demanded(long more) {
        if (servedHere != null) {
            send(new SubscriptionActor.Requested<>(more));
        } else {
            addDemand(more);
        }
    }

    private void addDemand(long more) {
        demand = demand + more < 0 ? Long.MAX_VALUE : demand + more;
    }

    public void cancelled() {
        closing = true;
        send(new SubscriptionActor.Closed<>());
    }

    /** Call it after the owner has taken back undelivered elements. */
    @MutationPoint("poller.returned")
    public void returned() {
        Outlet<? super G> returning = outlet;
        subscription = null;
        servedHere = null;
        outlet = null;
        closing = false;
        Waiting<G> waiting = next;
        next = null;
        if (returning != null) {
            returning.returned();
        }
        if (waiting != null) {
            subscribe(waiting);
        }
    }

    /** Fails the stream: notifies its subscriber and the one that waits. */
    public void fail(VerbsException reason) {
        end(new SubscriptionActor.Failed<>(reason), reason);
    }

    /** Completes the stream. */
    public void complete() {
        end(new SubscriptionActor.Ended<>(), new VerbsException(Errno.EINVAL, name + " was destroyed"));
    }

    /** Called when the owner has stopped, for subscribers that were not notified of the end. */
    public void ownerStopped() {
        if (outlet != null) {
            outlet.ownerStopped();
        }
        if (next != null) {
            next.outlet.ownerStopped();
        }
        ending.forEach(each -> each.outlet.ownerStopped());
    }

    private void end(SubscriptionActor.Command<G> command, VerbsException forTheWaiting) {
        if (servedHere != null && servedHere.hasEnded() && outlet != null) {
            outlet.ownerStopped();
        } else {
            send(command);
        }
        if (subscription != null && outlet != null) {
            ending.add(new Ending<>(subscription, outlet));
        }
        subscription = null;
        servedHere = null;
        outlet = null;
        if (next != null) {
            refuse(next.outlet, forTheWaiting);
            next = null;
        }
        closing = false;
    }
}
