// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;

/**
 * RC SEND in a closed loop: each completion of the sender posts the next request, each of the receiver a new buffer.
 * Requests are immutable and built once, as a C program fills in its {@code ibv_send_wr} once.
 */
final class SendLoop implements AutoCloseable {
    private static final int BYTES = 64;
    private static final int SLOTS = 128;

    private final RdmaNetwork network = RdmaNetwork.start();
    private final RcQueuePair sender;
    private final RcQueuePair receiver;
    private final Send[] sends = new Send[SLOTS];
    private final Receive[] receives = new Receive[SLOTS];
    private final int window;
    private long toPost;
    private long toComplete;
    private volatile CountDownLatch done = new CountDownLatch(0);

    /** @param onAdapterThread both subscribers run on the adapter's thread; else on the callers' executor */
    SendLoop(int window, boolean onAdapterThread) {
        this.window = window;
        Adapter alice = network.addAdapter("alice", Profile.CONNECTX_5);
        Adapter bob = network.addAdapter("bob", Profile.CONNECTX_5);
        ProtectionDomain a = alice.process("app").open().allocatePd();
        ProtectionDomain b = bob.process("app").open().allocatePd();
        MemoryRegion from = network.await(a.register(alice.process("app").allocate(BYTES * SLOTS), Access.LOCAL_WRITE));
        MemoryRegion into = network.await(b.register(bob.process("app").allocate(BYTES * SLOTS), Access.LOCAL_WRITE));
        CompletionQueue sent = network.await(a.context().createCq(256));
        CompletionQueue received = network.await(b.context().createCq(256));
        QpCapacity capacity = QpCapacity.of(128).withMaxSge(1).withMaxInlineBytes(0);
        RcPair pair = network.await(RcPair.connect(
                a.rc().sendCq(sent).capacity(capacity), b.rc().sendCq(received).capacity(capacity)));
        sender = pair.local();
        receiver = pair.remote();
        for (int i = 0; i < SLOTS; i++) {
            sends[i] = Send.of(i, from.slice((long) i * BYTES, BYTES)).signaled();
            receives[i] = Receive.of(i, into.slice((long) i * BYTES, BYTES));
            postReceive(i);
        }
        (onAdapterThread ? sent.completionsOnAdapterThread() : sent.completions()).subscribe(new Batched(this::sent));
        (onAdapterThread ? received.completionsOnAdapterThread() : received.completions())
                .subscribe(new Batched(this::arrived));
    }

    /** Runs that many operations to their completion. */
    void run(long operations) throws InterruptedException {
        start(operations).await();
    }

    /** Starts that many operations; the latch opens when they are complete. */
    CountDownLatch start(long operations) {
        long first = Math.min(window, operations);
        toPost = operations - first;
        toComplete = operations;
        CountDownLatch latch = new CountDownLatch(1);
        done = latch;
        for (int i = 0; i < first; i++) {
            postSend(i);
        }
        return latch;
    }

    private void sent(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.toString());
        }
        if (toPost > 0) {
            toPost--;
            postSend(completion.workId());
        }
        if (--toComplete == 0) {
            done.countDown();
        }
    }

    private void arrived(WorkCompletion completion) {
        if (completion.isSuccess()) {
            postReceive(completion.workId());
        }
    }

    private void postSend(long slot) {
        sender.post(sends[(int) slot]);
    }

    private void postReceive(long slot) {
        receiver.postReceive(receives[(int) slot]);
    }

    @Override
    public void close() {
        network.close();
    }

    /** Asks for 64 more whenever 64 were taken, as a subscriber does that cares. */
    private static final class Batched implements Flow.Subscriber<WorkCompletion> {
        private final Consumer<WorkCompletion> action;
        private Flow.@Nullable Subscription subscription;
        private int taken;

        Batched(Consumer<WorkCompletion> action) {
            this.action = action;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(256);
        }

        @Override
        public void onNext(WorkCompletion completion) {
            action.accept(completion);
            if (++taken == 64 && subscription != null) {
                subscription.request(64);
                taken = 0;
            }
        }

        @Override
        public void onError(Throwable error) {
            throw new IllegalStateException("the stream of completions failed", error);
        }

        @Override
        public void onComplete() {}
    }
}
