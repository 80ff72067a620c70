// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.Access;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
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
        var alice = network.addAdapter("alice", Profile.CONNECTX_5).process("app");
        var bob = network.addAdapter("bob", Profile.CONNECTX_5).process("app");
        ProtectionDomain a = alice.open().allocatePd();
        ProtectionDomain b = bob.open().allocatePd();
        MemoryRegion from = network.await(a.register(alice.allocate(BYTES), Access.LOCAL_WRITE));
        MemoryRegion into = network.await(b.register(bob.allocate(BYTES), Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        CompletionQueue cq = network.await(a.context().createCq(2 * window + 64));
        QpCapacity capacity =
                QpCapacity.of(Math.max(16, 2 * window)).withMaxSge(1).withMaxInlineBytes(0);
        QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                a,
                QpDescription.rc().withSendCq(cq).withCapacity(capacity),
                b,
                QpDescription.rc().withCapacity(capacity),
                RcConnection.DEFAULT));
        writer = pair.local();
        write = RdmaWrite.of(1, from.slice(0, BYTES), into.remote(0));
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
