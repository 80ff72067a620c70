// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.stream.IntStream;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/**
 * RDMA WRITE of 64 bytes over DC in closed loops, one per initiator; the initiators are on one adapter, two targets on another.
 */
final class DcLoop implements AutoCloseable {
    /** Run length for staying with one target. */
    static final int NEVER = Integer.MAX_VALUE;

    static final int BYTES = 64;

    private static final int TARGETS = 2;
    private static final long ACCESS_KEY = 0xDC;

    /** Initiators stay connected while the program pauses; they leave a target only for another one. */
    private static final Profile PROFILE =
            Profile.CONNECTX_5.with(Profile.CONNECTX_5.dynamicallyConnected().withIdleNanos(60_000_000_000L));

    private final RdmaNetwork network = RdmaNetwork.start();
    private final Side initiatorSide = Side.of(network, network.addAdapter("alice", PROFILE), "app", BYTES);
    private final Side targetSide = Side.of(network, network.addAdapter("bob", PROFILE), "app", BYTES);
    private final List<DcAddress> targets =
            IntStream.range(0, TARGETS).mapToObj(number -> target()).toList();
    private final CompletionQueue completions;
    private final int window;
    private final List<Requester> initiators;
    private long toPost;
    private long toComplete;
    private int inARow;
    private volatile CountDownLatch done = new CountDownLatch(0);

    /**
     * Creates the loop.
     *
     * @param window outstanding requests of each initiator
     */
    DcLoop(int initiatorCount, int window, boolean fullHandshake) {
        this.window = window;
        completions = network.await(initiatorSide.context().createCq(2 * initiatorCount * window));
        initiators = IntStream.range(0, initiatorCount)
                .mapToObj(number -> new Requester(number, initiator(fullHandshake)))
                .toList();
        completions.completions(Delivery.ADAPTER_THREAD).subscribe(new Each());
    }

    private DcAddress target() {
        DcTarget target = network.await(targetSide
                .domain()
                .createDcTarget(DcTargetDescription.of(
                        network.await(targetSide.context().createCq(1)),
                        network.await(targetSide.domain().createSrq(SrqDescription.DEFAULT)),
                        DcAccessKey.of(ACCESS_KEY))));
        network.await(target.open(RcConnection.DEFAULT));
        return DcAddress.of(
                network.await(initiatorSide.domain().createAddressHandle(AddressVector.to(target.gid()))),
                target.number(),
                DcAccessKey.of(ACCESS_KEY));
    }

    private DcInitiator initiator(boolean fullHandshake) {
        QpCapacity capacity = QpCapacity.of(2 * window).withMaxSge(1).withMaxInlineBytes(0);
        QpDescription<DcInitiator> requested =
                QpDescription.dc().withSendCq(completions).withCapacity(capacity);
        DcInitiator made = network.await(
                initiatorSide.domain().createQp(fullHandshake ? requested.withFullHandshake() : requested));
        network.await(made.open(RcConnection.DEFAULT));
        return made;
    }

    /** An initiator and its next target. Its requests are built once. */
    private final class Requester {
        private final DcInitiator initiator;
        private final RdmaWrite write;
        private int posted;

        Requester(int number, DcInitiator initiator) {
            this.initiator = initiator;
            write = RdmaWrite.of(number, initiatorSide.slice(0, BYTES), targetSide.remote(0))
                    .withSignaled();
        }

        void post(int position) {
            initiator.post(targets.get(position / inARow % TARGETS), write);
        }

        void next() {
            post(posted++);
        }
    }

    /**
     * Runs the given number of operations to their completion.
     *
     * @param operations at least the sum of all windows
     * @param row requests that each initiator posts to one target before it switches to the other
     */
    void run(long operations, int row) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        inARow = row;
        toPost = operations - (long) window * initiators.size();
        toComplete = operations;
        done = latch;
        initiators.forEach(initiator -> initiator.posted = window);
        for (int i = 0; i < window; i++) {
            for (Requester initiator : initiators) {
                initiator.post(i);
            }
        }
        latch.await();
    }

    private final class Each implements Flow.Subscriber<WorkCompletion> {
        @Override
        public void onSubscribe(Flow.Subscription given) {
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(WorkCompletion completion) {
            if (!completion.isSuccess()) {
                throw new IllegalStateException(completion.toString());
            }
            if (toPost > 0) {
                toPost--;
                initiators.get((int) completion.workId()).next();
            }
            if (--toComplete == 0) {
                done.countDown();
            }
        }

        @Override
        public void onError(Throwable error) {
            throw new IllegalStateException("the stream of completions failed", error);
        }

        @Override
        public void onComplete() {}
    }

    @Override
    public void close() {
        network.close();
    }
}
