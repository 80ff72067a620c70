// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * The polling side of a stream, for the actor that owns the elements: at most one subscription, its demand, and what to do
 * when it is cancelled. A subscriber that comes while another one closes waits for its turn; any other is refused.
 *
 * @param <E> what subscribers get
 */
public final class Poller<E> {
    /** Elements in one message to a subscription. */
    public static final int MAX_GRANT = 256;

    private record Waiting<E>(Flow.Subscriber<? super E> subscriber, DispatcherSelector dispatcher) {}

    private final ActorContext<?> context;
    private final Consumer<Poll<E>> inbox;
    private final Executor callers;
    private final String name;
    private final boolean looks;

    private @Nullable ActorRef<SubscriptionActor.Command<E>> subscription;
    private @Nullable Waiting<E> next;
    private int count;
    private long demand;

    /** Subscriptions whose subscriber may not have heard yet that the stream is over: they end with their owner. */
    private final List<ActorRef<SubscriptionActor.Command<E>>> telling = new ArrayList<>(1);

    private @Nullable AtomicLong handedOut;
    private long seen;
    private boolean closing;

    /**
     * @param inbox tells the owner what its subscription says
     * @param callers where refused subscribers are told
     * @param name of the stream, for refusals
     * @param looks the owner asks for {@link #newlyHandedOut} when it wants to know, instead of being told of each return
     */
    public Poller(ActorContext<?> context, Consumer<Poll<E>> inbox, Executor callers, String name, boolean looks) {
        this.looks = looks;
        this.context = context;
        this.inbox = inbox;
        this.callers = callers;
        this.name = name;
    }

    /** A subscription polls, or waits for its turn. */
    public boolean isPolled() {
        return subscription != null;
    }

    /** Elements that may be granted now, at most {@link #MAX_GRANT}. */
    public int demand() {
        return subscription == null || closing ? 0 : (int) Math.min(demand, MAX_GRANT);
    }

    /** At most {@link #demand} elements, and what is asked before each is handed out. */
    public void grant(E[] elements, Receipt<E> receipt) {
        if (subscription == null) {
            throw new IllegalStateException("nobody polls " + name);
        }
        demand -= elements.length;
        subscription.tell(new SubscriptionActor.Granted<>(elements, receipt));
    }

    /** Elements that the subscriber was handed since the last call; only where the owner looks for itself. */
    public int newlyHandedOut() {
        if (handedOut == null) {
            return 0;
        }
        long now = handedOut.getAcquire();
        int more = (int) (now - seen);
        seen = now;
        return more;
    }

    public void subscribe(Flow.Subscriber<? super E> subscriber, DispatcherSelector dispatcher) {
        if (closing && next == null) {
            next = new Waiting<>(subscriber, dispatcher);
        } else if (subscription != null) {
            refuse(subscriber, new VerbsException(Errno.EBUSY, name + " is polled by another subscription"));
        } else {
            demand = 0;
            handedOut = looks ? new AtomicLong() : null;
            seen = 0;
            subscription = context.spawn(
                    SubscriptionActor.create(++count, inbox, subscriber, handedOut),
                    "subscription-" + count,
                    dispatcher);
            context.watch(subscription);
        }
    }

    public void refuse(Flow.Subscriber<? super E> subscriber, VerbsException why) {
        callers.execute(() -> DeclinedSubscription.tell(subscriber, why));
    }

    /**
     * True if the child that terminated is the subscription that polls: the owner takes back what it was not handed, and
     * says that by {@link #returned}.
     */
    public boolean isSubscription(ActorRef<Void> child) {
        return subscription != null && subscription.path().equals(child.path());
    }

    /** True if the child that terminated had been told that the stream is over. */
    public boolean wasTold(ActorRef<Void> child) {
        return telling.removeIf(each -> each.path().equals(child.path()));
    }

    /** A subscriber may still have to hear that the stream is over: the owner, whose child its subscription is, must live. */
    public boolean isTelling() {
        return !telling.isEmpty();
    }

    /** True if the message is of a subscription that is over: it must be ignored. */
    public boolean isStale(Poll<E> poll) {
        return subscription == null || poll.subscription() != count;
    }

    public void demanded(long more) {
        demand = demand + more < 0 ? Long.MAX_VALUE : demand + more;
    }

    public void cancelled() {
        closing = true;
        if (subscription != null) {
            subscription.tell(new SubscriptionActor.Closed<>());
        }
    }

    /** To be called when the owner has taken back what was not delivered. */
    public void returned() {
        subscription = null;
        closing = false;
        Waiting<E> waiting = next;
        next = null;
        if (waiting != null) {
            subscribe(waiting.subscriber, waiting.dispatcher);
        }
    }

    /** The stream fails: its subscriber and the one that waits are told. */
    public void fail(VerbsException why) {
        end(new SubscriptionActor.Failed<>(why), why);
    }

    /** The stream is over. */
    public void complete() {
        end(new SubscriptionActor.Ended<>(), new VerbsException(Errno.EINVAL, name + " was destroyed"));
    }

    private void end(SubscriptionActor.Command<E> word, VerbsException forTheWaiting) {
        if (subscription != null) {
            subscription.tell(word);
            telling.add(subscription);
            subscription = null;
        }
        if (next != null) {
            refuse(next.subscriber, forTheWaiting);
            next = null;
        }
        closing = false;
    }
}
