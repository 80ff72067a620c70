// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Delivery;
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

/** RDMA WRITE over RC in a closed loop, MTU 4096. */
final class WriteLoop implements AutoCloseable {
    private final RdmaNetwork network = RdmaNetwork.start();
    private final RcQueuePair writer;
    private final RdmaWrite write;
    private final int window;
    private long toPost;
    private long toComplete;
    private volatile CountDownLatch done = new CountDownLatch(0);

    /**
     * Creates the loop.
     *
     * @param window outstanding requests
     */
    WriteLoop(int bytes, int window) {
        this.window = window;
        var alice = network.addAdapter("alice", Profile.CONNECTX_5).process("app");
        var bob = network.addAdapter("bob", Profile.CONNECTX_5).process("app");
        ProtectionDomain a = alice.open().allocatePd();
        ProtectionDomain b = bob.open().allocatePd();
        MemoryRegion from = network.await(a.register(alice.allocate(bytes), Access.LOCAL_WRITE));
        MemoryRegion into = network.await(b.register(bob.allocate(bytes), Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        CompletionQueue cq = network.await(a.context().createCq(Math.max(64, 2 * window)));
        QpCapacity capacity =
                QpCapacity.of(Math.max(16, 2 * window)).withMaxSge(1).withMaxInlineBytes(0);
        QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                a,
                QpDescription.rc().withSendCq(cq).withCapacity(capacity),
                b,
                QpDescription.rc().withCapacity(capacity),
                RcConnection.DEFAULT.withMtu(PathMtu.BYTES_4096)));
        writer = pair.local();
        write = RdmaWrite.of(1, from.slice(0, bytes), into.remote(0)).withSignaled();
        cq.completions(Delivery.ADAPTER_THREAD).subscribe(new Each());
    }

    void run(long operations) throws InterruptedException {
        long first = Math.min(window, operations);
        toPost = operations - first;
        toComplete = operations;
        CountDownLatch latch = new CountDownLatch(1);
        done = latch;
        for (int i = 0; i < first; i++) {
            writer.post(write);
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
                writer.post(write);
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
