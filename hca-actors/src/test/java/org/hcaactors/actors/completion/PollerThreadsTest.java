// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.hcaactors.actors.stage.Callers;
import org.hcaactors.actors.stage.Mailbox;
import org.hcaactors.actors.stream.Poller;
import org.hcaactors.actors.stream.SubscriptionActor;
import org.hcaactors.adapter.completion.CompletionGrant;
import org.hcaactors.adapter.completion.CompletionQueueMachine;
import org.hcaactors.adapter.completion.Completions;
import org.hcaactors.adapter.completion.CqEffects;
import org.hcaactors.adapter.completion.WorkQueueFeed;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.stage.Reply;
import org.hcaactors.adapter.stream.FlowOutlet;
import org.hcaactors.adapter.stream.PollCommand;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A completion queue, its subscriber on its own thread, and threads that cancel, request more or reset the queue pair: each
 * entry is delivered once or stays in the queue, in order, and each removed entry frees its slot once.
 */
@Tag("judge")
public class PollerThreadsTest {
    private static final int PLACES = 7;
    private static final Object PURGE = new Object();

    private final AtomicInteger freed = new AtomicInteger();
    private final WorkQueueFeed workQueue = new WorkQueueFeed(freed::addAndGet);
    private final CompletionQueueMachine machine =
            new CompletionQueueMachine(new CompletionQueueMachine.Rules(PLACES, false, true, false, 0));
    private final Mailbox<Object> queue = new Mailbox<>();
    private final Mailbox<SubscriptionActor.Command<CompletionGrant>> subscription = new Mailbox<>();
    private final ActorContext<SubscriptionActor.Command<CompletionGrant>> context = context();
    private final Callers callers = new Callers(Runnable::run, stage -> {}, DispatcherSelector.sameAsParent());
    private final Poller<CompletionGrant> poller =
            new Poller<>(context, queue::tell, callers, "a completion queue", true);
    private final CqEffects effects = new Effects();
    private final Subscriber subscriber = new Subscriber();
    private @Nullable Behavior<SubscriptionActor.Command<CompletionGrant>> child;
    private int written;
    private boolean reset;

    /** Requests two elements. */
    private static final class Subscriber implements Flow.Subscriber<WorkCompletion> {
        final List<Long> taken = new ArrayList<>();
        Flow.@Nullable Subscription given;

        Flow.Subscription subscription() {
            return Objects.requireNonNull(given);
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            given = subscription;
            subscription.request(2);
        }

        @Override
        public void onNext(WorkCompletion completion) {
            taken.add(completion.workId());
        }

        @Override
        public void onError(Throwable reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void onComplete() {}
    }

    public PollerThreadsTest() {
        poller.subscribe(new FlowOutlet<>(subscriber), DispatcherSelector.defaultDispatcher());
        toTheEnd();
    }

    /** Context of the queue's actor and of its child; the child runs when the test lets it. */
    @SuppressWarnings("unchecked")
    private ActorContext<SubscriptionActor.Command<CompletionGrant>> context() {
        return (ActorContext<SubscriptionActor.Command<CompletionGrant>>) Proxy.newProxyInstance(
                ActorContext.class.getClassLoader(),
                new Class<?>[] {ActorContext.class, org.apache.pekko.actor.typed.scaladsl.ActorContext.class},
                this::asked);
    }

    @SuppressWarnings("unchecked")
    private @Nullable Object asked(Object proxy, Method method, Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "asJava", "asScala" -> proxy;
            case "getSelf" -> subscription;
            case "spawn" -> {
                child = Behavior.start(
                        (Behavior<SubscriptionActor.Command<CompletionGrant>>) Objects.requireNonNull(arguments)[0],
                        (ActorContext<SubscriptionActor.Command<CompletionGrant>>) proxy);
                yield subscription;
            }
            case "watch" -> null;
            default -> throw new UnsupportedOperationException(method.getName());
        };
    }

    @Operation(nonParallelGroup = "queue")
    public void complete() {
        WorkCompletion[] entry = {
            WorkCompletion.of(written++, Status.SUCCESS, CompletionKind.SEND, 17, 0, OptionalInt.empty())
        };
        machine.delivered(poller.newlyDelivered());
        machine.completed(new Completions(entry, workQueue, new int[0], NO_STAGES, new boolean[0]), 0, effects);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final Reply<WorkCompletion>[] NO_STAGES = new Reply[0];

    /** Like the queue's actor. */
    @Operation(nonParallelGroup = "queue")
    public void turn() {
        switch (queue.letters().poll()) {
            case null -> {}
            case PollCommand<?> stale when poller.isStale((PollCommand<CompletionGrant>) stale) -> {}
            case PollCommand.Demanded<?> demanded -> {
                machine.delivered(poller.newlyDelivered());
                poller.demanded(demanded.more());
                machine.grant(effects);
            }
            case PollCommand.Cancelled<?> cancelled -> poller.cancelled();
            case PollCommand.Returned<?> returned -> {
                machine.delivered(poller.newlyDelivered());
                machine.returnUndelivered(effects);
                poller.returned();
            }
            case Object purge -> machine.purge(workQueue, effects);
        }
    }

    @Operation(nonParallelGroup = "subscriber")
    public void deliver() {
        SubscriptionActor.Command<CompletionGrant> next = subscription.letters().poll();
        if (next != null && child != null) {
            Behavior.interpretMessage(child, context, next);
        }
    }

    @Operation
    public void ask() {
        subscriber.subscription().request(1);
    }

    @Operation
    public void cancel() {
        subscriber.subscription().cancel();
    }

    @Operation(nonParallelGroup = "queue pair")
    public void reset() {
        reset = true;
        workQueue.withdraw();
        queue.tell(PURGE);
    }

    private void toTheEnd() {
        while (!queue.letters().isEmpty() || !subscription.letters().isEmpty()) {
            turn();
            deliver();
        }
    }

    @Validate
    public void eachEntryIsInOnePlace() {
        toTheEnd();
        machine.delivered(poller.newlyDelivered());
        List<Long> all = new ArrayList<>(subscriber.taken);
        int freedSoFar = freed.get();
        for (WorkCompletion left : machine.take(PLACES)) {
            all.add(left.workId());
        }
        if (!reset && !all.equals(LongStream.range(0, written).boxed().toList())) {
            throw new AssertionError(written + " entries were written; handed out and left: " + all);
        }
        if (all.size() != all.stream().distinct().count()) {
            throw new AssertionError("an entry is in two places: " + all);
        }
        if (freed.get() != written) {
            throw new AssertionError(written + " entries were written, and " + freed + " slots are free, " + freedSoFar
                    + " of them before the rest was polled");
        }
    }

    private final class Effects implements CqEffects {
        @Override
        public int demand() {
            return poller.demand();
        }

        @Override
        public void grant(CompletionGrant grant) {
            poller.grant(grant);
        }

        @Override
        public void overrun(Reason reason) {
            throw new AssertionError(reason);
        }

        @Override
        public boolean observed() {
            return false;
        }

        @Override
        public void written(WorkCompletion entry, boolean solicited) {}

        @Override
        public void complete(Reply<WorkCompletion> stage, WorkCompletion entry) {}

        @Override
        public void lose(Reply<WorkCompletion> stage) {}

        @Override
        public void removed(int entries) {}

        @Override
        public void returned(int entries) {}

        @Override
        public void produced(long index) {}

        @Override
        public void wake() {}

        @Override
        public void failed() {}
    }

    @Test
    void anElementCancelledDuringDeliveryIsReturnedOnce() {
        Interleavings.of(PollerThreadsTest.class)
                .before("complete", "complete", "complete")
                .thread("deliver", "deliver")
                .thread("cancel")
                .thread("turn", "complete")
                .inAnyOrder();
    }

    @Test
    void demandConcurrentWithACompletionIsDelivered() {
        Interleavings.of(PollerThreadsTest.class)
                .before("complete", "complete")
                .thread("deliver", "deliver")
                .thread("ask", "ask")
                .thread("complete", "turn", "turn")
                .inAnyOrder();
    }

    @Test
    void anElementPurgedDuringDeliveryFreesItsSlotOnce() {
        Interleavings.of(PollerThreadsTest.class)
                .before("complete", "complete", "complete")
                .thread("deliver", "deliver")
                .thread("reset")
                .thread("turn", "turn")
                .after("cancel")
                .inAnyOrder();
    }

    @Test
    void anElementCancelledOnConcurrentThreadsIsReturnedOnce() {
        Interleavings.of(PollerThreadsTest.class)
                .before("complete", "complete", "complete")
                .thread("deliver", "deliver", "deliver")
                .thread("cancel")
                .thread("complete", "turn", "complete", "turn")
                .atOnce();
    }
}
