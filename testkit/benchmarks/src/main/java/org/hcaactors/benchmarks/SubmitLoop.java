// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;
import org.jspecify.annotations.Nullable;

/** RDMA WRITE of 64 bytes over RC with {@code submit}: a stage for each request. */
final class SubmitLoop implements AutoCloseable {
    private static final int BYTES = 64;

    private final RdmaNetwork network = RdmaNetwork.start();
    private final RcQueuePair writer;
    private final RdmaWrite write;
    private final int window;
    private final AtomicLong toSubmit = new AtomicLong();
    private final AtomicLong toComplete = new AtomicLong();
    private volatile CountDownLatch done = new CountDownLatch(0);

    /** @param window outstanding requests */
    SubmitLoop(int window) {
        this.window = window;
        Side alice = Side.of(network, network.addAdapter("alice", Profile.CONNECTX_5), "app", BYTES);
        Side bob = Side.of(network, network.addAdapter("bob", Profile.CONNECTX_5), "app", BYTES);
        QpCapacity capacity =
                QpCapacity.of(Math.max(16, 2 * window)).withMaxSge(1).withMaxInlineBytes(0);
        Ends<RcEnd> ends = RcEnd.connect(
                network,
                Half.on(alice).withCapacity(capacity).withQueues(network, 2 * window + 64),
                Half.on(bob).withCapacity(capacity),
                RcConnection.DEFAULT);
        writer = ends.a().qp();
        write = RdmaWrite.of(1, alice.slice(0, BYTES), bob.remote(0));
    }

    /** Submits the next request in an action on the stage of one that is complete. */
    void run(long operations) throws InterruptedException {
        toSubmit.set(operations - window);
        toComplete.set(operations);
        CountDownLatch latch = new CountDownLatch(1);
        done = latch;
        for (int i = 0; i < window; i++) {
            submit();
        }
        latch.await();
    }

    private void submit() {
        writer.submit(write).whenComplete(this::completed);
    }

    private void completed(@Nullable WorkCompletion completion, @Nullable Throwable failure) {
        if (completion == null || !completion.isSuccess()) {
            throw new IllegalStateException(String.valueOf(completion), failure);
        }
        if (toSubmit.decrementAndGet() >= 0) {
            submit();
        }
        if (toComplete.decrementAndGet() == 0) {
            done.countDown();
        }
    }

    /** Waits for each request on the calling thread. */
    void await(long operations) {
        for (long i = 0; i < operations; i++) {
            if (!network.await(writer.submit(write)).isSuccess()) {
                throw new IllegalStateException("request " + i + " failed");
            }
        }
    }

    @Override
    public void close() {
        network.close();
    }
}
