// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.hcaactors.adapter.flow.ReasonTexts;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.world.World;

/**
 * A completion queue of a few entries, whose subscribers subscribe, request some entries and cancel at any time, or which is
 * polled; its queue pair is reset meanwhile and connected again. Every completion is delivered once, and none from before a
 * RESET after it (ibv_modify_qp(3)). If overruns are ignored, completions may be lost, but the queue pair may not.
 */
final class ShortSubscriptions implements Workload {
    private static final int REQUESTS = 16;
    /** Distance between first PSNs, so that late packets of one connection are ignored in the next. */
    private static final int PSN_STEP = 0x10_0000;

    private static final int MAX_PSN = 0xFF_FFFF;
    private static final int MAX_ENTRIES = 7;
    private static final int ACTS = 3;
    private static final int LONGEST_NANOS = 3000;

    private final World world;
    private final SweepContext sweep;
    private final SplittableRandom random;
    private final boolean overwrites;
    private final CompletionQueue queue;
    private final Ends<RcEnd> pair;
    private RcConnection attributes;
    private long next;
    /** First request since the last RESET. */
    private long firstOfThisLife;

    private final Set<Long> handedOut = new LinkedHashSet<>();
    private Optional<ShortSubscriber> subscriber = Optional.empty();
    private Optional<String> wrong = Optional.empty();
    private boolean disturbed;
    private boolean changing;
    /** True after the destruction of its queue pair was requested; nothing is posted from then on. */
    private boolean destroying;

    private boolean destroyed;

    ShortSubscriptions(SweepContext sweep) {
        this.sweep = sweep;
        world = sweep.world();
        random = sweep.random("passing subscribers");
        overwrites = random.nextBoolean();
        CqDescription requested = CqDescription.of(1 + random.nextInt(MAX_ENTRIES));
        queue = world.await(sweep.a().context.createCq(overwrites ? requested.withIgnoreOverrun() : requested));
        attributes = sweep.patient(random);
        pair = sweep.connected(
                sweep.a()
                        .half()
                        .withSendCq(queue)
                        .withCapacity(QpCapacity.DEFAULT
                                .withMaxSendWr(REQUESTS)
                                .withMaxRecvWr(1)
                                .withMaxSge(1)
                                .withMaxInlineBytes(0)),
                sweep.b().half(),
                attributes);
    }

    @Override
    public void step() {
        for (int act = 0; act < ACTS; act++) {
            quietly(this::act);
        }
        throwIfWrong();
    }

    /** Runs an act; nothing more is expected after a disaster. */
    private void quietly(Runnable act) {
        try {
            if (!disturbed) {
                act.run();
            }
        } catch (VerbsException refused) {
            disturbed = true;
            if (sweep.severity() != FaultSeverity.DISASTER && sweep.severity() != FaultSeverity.HOSTILE) {
                wrong("a subscription that keeps the rules was refused: " + refused);
            }
        }
    }

    private void act() {
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3, 4 -> post(1 + random.nextInt(4));
            case 5 -> subscribe();
            case 6, 7, 8 ->
                subscriber.ifPresentOrElse(
                        shortSubscriber -> shortSubscriber.ask(1 + random.nextInt(4)), this::subscribe);
            case 9 -> subscriber.ifPresent(this::dismiss);
            case 10 -> poll();
            default -> {
                switch (random.nextInt(8)) {
                    case 0, 1 -> reset();
                    case 2, 3 -> resize();
                    default -> {}
                }
            }
        }
    }

    private void dismiss(ShortSubscriber shortSubscriber) {
        shortSubscriber.cancel();
        if (random.nextBoolean()) {
            subscribe();
        }
    }

    private void post(int requests) {
        for (int i = 0; i < requests && !changing && !destroying && hasRoom(); i++) {
            long id = next++;
            pair.a()
                    .qp()
                    .post(RdmaWrite.of(
                                    id,
                                    sweep.a().source((int) id % SweepNode.CELLS, 1 + random.nextInt(64)),
                                    sweep.b().remoteTarget((int) id % SweepNode.CELLS))
                            .withSignaled());
        }
    }

    /**
     * True if another request may be posted: without overwriting, open requests need an entry each; with overwriting, the send
     * queue is the bound.
     */
    private boolean hasRoom() {
        long open = next - firstOfThisLife - handedOut.size();
        return overwrites ? random.nextInt(4) > 0 && next - firstOfThisLife < REQUESTS : open < queue.capacity();
    }

    /** Resizes the queue. Existing entries are kept: a size below their number is refused, any other is not. */
    private void resize() {
        long open = next - firstOfThisLife - handedOut.size();
        int entries = 1 + random.nextInt(MAX_ENTRIES);
        if (overwrites) {
            sweep.promises().verb("resize the queue of passing subscribers", queue.resize(entries), Errno.EINVAL);
        } else if (!changing && !destroying && entries >= open) {
            changing = true;
            world.await(queue.resize(entries));
            changing = false;
        }
    }

    private void subscribe() {
        if (subscriber.isEmpty()) {
            ShortSubscriber shortSubscriber = new ShortSubscriber();
            subscriber = Optional.of(shortSubscriber);
            queue.completions().subscribe(shortSubscriber);
        }
    }

    private void poll() {
        long oldest = firstOfThisLife;
        if (random.nextBoolean()) {
            // Refused, rightly, while a subscription polls.
            ReceiveWaves.quietly(() ->
                    queue.poller().poll(1 + random.nextInt(3), cursor -> take(cursor.completion(), oldest, "poller")));
            return;
        }
        CompletionStage<List<WorkCompletion>> polled = queue.poll(1 + random.nextInt(3));
        // Refused, rightly, while a subscription polls.
        polled.thenAccept(completions -> completions.forEach(completion -> take(completion, oldest, "poll")));
    }

    /**
     * Takes a completion.
     *
     * @param oldest first request that may still be delivered
     */
    private void take(WorkCompletion completion, long oldest, String how) {
        long id = completion.workId();
        if (id < oldest) {
            wrong("request " + id + " was posted before a RESET, but delivered after it to a " + how);
        } else if (id >= firstOfThisLife && !handedOut.add(id)) {
            wrong("request " + id + " was delivered twice, the second time to a " + how);
        }
    }

    private void wrong(String what) {
        if (wrong.isEmpty()) {
            wrong = Optional.of(what);
        }
    }

    private void throwIfWrong() {
        wrong.ifPresent(what -> {
            throw new AssertionError("passing subscribers: " + what);
        });
    }

    /** Resets the queue pair, which drops requests in progress, and connects it again. */
    private void reset() {
        if (!changing && !destroying) {
            changing = true;
            reconnect();
            changing = false;
        }
    }

    private void reconnect() {
        RcQueuePair local = pair.a().qp();
        RcQueuePair remote = pair.b().qp();
        world.await(local.modify(QpModify.to(QpState.RESET)));
        firstOfThisLife = next;
        handedOut.clear();
        world.await(remote.modify(QpModify.to(QpState.RESET)));
        attributes = attributes
                .withSendPsn(attributes.sendPsn() + PSN_STEP & MAX_PSN)
                .withReceivePsn(attributes.receivePsn() + PSN_STEP & MAX_PSN);
        world.await(local.connect(sweep.b().adapter.gid(), remote.number(), attributes));
        world.await(remote.connect(sweep.a().adapter.gid(), local.number(), attributes.reversed()));
    }

    /** Destroys the queue pair in some seeds, and then the queue with its subscriber. */
    @Override
    public void finish() {
        if (random.nextInt(3) == 0) {
            quietly(() -> {
                destroying = true;
                world.await(pair.a().qp().destroy());
                destroyed = true;
                subscriber.ifPresent(this::dismiss);
                sweep.promises().verb("destroy the queue of passing subscribers", queue.destroy());
            });
        }
    }

    /** Checks that completions that were not delivered are in the queue. */
    @Override
    public void atRest() {
        throwIfWrong();
        if (disturbed || sweep.severity() == FaultSeverity.DISASTER) {
            return;
        }
        failedOnlyByItself();
        subscriber.ifPresent(shortSubscriber -> shortSubscriber.isServed(destroyed));
        if (destroyed) {
            return;
        }
        subscriber.ifPresent(ShortSubscriber::cancel);
        world.settle();
        List<WorkCompletion> left = world.await(queue.poll(REQUESTS));
        left.forEach(completion -> take(completion, firstOfThisLife, "poll"));
        throwIfWrong();
        if (!overwrites && !missing().isEmpty()) {
            throw new AssertionError(
                    "passing subscribers: no subscriber received the completions of requests " + missing());
        }
    }

    private List<Long> missing() {
        List<Long> missing = new ArrayList<>();
        for (long id = firstOfThisLife; id < next; id++) {
            if (!handedOut.contains(id)) {
                missing.add(id);
            }
        }
        return missing;
    }

    /** Checks that the completion queue raised no overrun: the program posts no more than fits, or overruns are ignored. */
    private void failedOnlyByItself() {
        sweep.raised(sweep.a(), new AsyncEvent(AsyncEvent.Kind.CQ_ERR, queue.number()))
                .findFirst()
                .ifPresent(raised -> {
                    throw new AssertionError(
                            "passing subscribers: the completion queue failed: " + ReasonTexts.of(raised.reason()));
                });
    }

    /** Subscriber that requests some entries, takes time with each, and cancels at a random time. */
    private final class ShortSubscriber implements Flow.Subscriber<WorkCompletion> {
        private Optional<Flow.Subscription> receivedSubscription = Optional.empty();
        private int toRequest;
        private int awaited;
        private boolean cancelled;
        private boolean terminated;

        void ask(int more) {
            toRequest += more;
            receivedSubscription.ifPresent(subscription -> {
                int now = toRequest;
                toRequest = 0;
                awaited += now;
                subscription.request(now);
            });
        }

        void cancel() {
            cancelled = true;
            subscriber = Optional.empty();
            receivedSubscription.ifPresent(Flow.Subscription::cancel);
        }

        /** Throws AssertionError unless it has what it requested, as far as that exists, or has received the end. */
        void isServed(boolean noMore) {
            if (receivedSubscription.isEmpty()) {
                throw new AssertionError("passing subscribers: a subscriber never received onSubscribe");
            }
            if (noMore && !terminated) {
                throw new AssertionError(
                        "passing subscribers: the queue was destroyed, but its subscriber received no end");
            }
            if (!noMore && !overwrites && awaited > 0 && !missing().isEmpty()) {
                throw new AssertionError("passing subscribers: a subscriber has a demand of " + awaited
                        + ", but does not receive the completions of requests " + missing());
            }
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            receivedSubscription = Optional.of(subscription);
            if (cancelled) {
                subscription.cancel();
            } else if (toRequest > 0) {
                ask(0);
            }
        }

        @Override
        public void onNext(WorkCompletion completion) {
            awaited--;
            take(completion, firstOfThisLife, "subscriber");
            if (!cancelled && random.nextInt(6) == 0) {
                cancel();
                if (random.nextInt(3) == 0) {
                    quietly(ShortSubscriptions.this::reset);
                }
            } else if (random.nextInt(3) == 0) {
                quietly(() -> post(1 + random.nextInt(4)));
                if (random.nextInt(4) == 0) {
                    quietly(ShortSubscriptions.this::resize);
                }
                world.runFor(Duration.ofNanos(random.nextInt(LONGEST_NANOS)));
            }
        }

        /** Called also if it subscribes while an earlier one has not cancelled and a third already waits. */
        @Override
        public void onError(Throwable reason) {
            terminated = true;
            if (!destroyed && subscriber.filter(current -> current == this).isPresent()) {
                subscriber = Optional.empty();
            }
        }

        @Override
        public void onComplete() {
            terminated = true;
        }
    }
}
