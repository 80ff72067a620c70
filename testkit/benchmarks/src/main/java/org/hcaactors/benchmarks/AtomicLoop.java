// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.memory.Registration;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.network.RdmaNetwork;

/** Requests with a result, in bursts of two queue pairs on one memory; the loop waits for each burst. */
final class AtomicLoop implements AutoCloseable {
    static final int MAX_BYTES = 32;
    private static final int PAIRS = 2;

    private final int requests;
    private final RdmaNetwork network = RdmaNetwork.start();
    private final List<QpPair<RcQueuePair>> pairs;
    private final MemoryRegion results;
    private final MemoryRegion words;

    AtomicLoop(int requests) {
        this.requests = requests;
        HostProcess alice = network.addAdapter("alice", Profile.CONNECTX_5).process("app");
        HostProcess bob = network.addAdapter("bob", Profile.CONNECTX_5).process("app");
        ProtectionDomain a = alice.open().allocatePd();
        ProtectionDomain b = bob.open().allocatePd();
        results = registered(a, alice);
        words = registered(b, bob);
        QpCapacity capacity = QpCapacity.of(2 * requests).withMaxAtomicBytes(MAX_BYTES);
        int max = Profile.CONNECTX_5.queues().maxRdAtomic();
        pairs = IntStream.range(0, PAIRS)
                .mapToObj(i -> network.await(QpPair.connectRc(
                        a,
                        QpDescription.rc().withCapacity(capacity),
                        b,
                        QpDescription.rc().withCapacity(capacity),
                        RcConnection.DEFAULT.withRdAtomic(max))))
                .toList();
    }

    private MemoryRegion registered(ProtectionDomain domain, HostProcess process) {
        return network.await(domain.register(Registration.of(process.allocate((long) requests * MAX_BYTES))
                .withAccess(AccessFlags.LOCAL_AND_REMOTE)));
    }

    private LocalSlice result(int bytes) {
        return results.slice(0, bytes);
    }

    void reads() {
        burst(i -> RdmaRead.of(i, result(Long.BYTES), words.remote(0)));
    }

    /**
     * Posts a burst of additions.
     *
     * @param stride distance between the words
     */
    void fetchAdds(int stride) {
        burst(i -> FetchAdd.of(i, result(Long.BYTES), words.remote((long) i * stride), 1));
    }

    void maskedFetchAdds(int bytes, int stride) {
        AtomicValue all = AtomicValue.ones(bytes);
        burst(i -> MaskedFetchAdd.of(i, result(bytes), words.remote((long) i * stride), all));
    }

    /** Posts a burst. The completion of each queue pair's last request shows that all its requests are done. */
    private void burst(IntFunction<RcWork> request) {
        List<CompletionStage<WorkCompletion>> last = new ArrayList<>();
        for (QpPair<RcQueuePair> pair : pairs) {
            for (int i = 0; i < requests - 1; i++) {
                pair.local().post(request.apply(i));
            }
            last.add(pair.local().submit(request.apply(requests - 1)));
        }
        for (CompletionStage<WorkCompletion> stage : last) {
            if (!network.await(stage).isSuccess()) {
                throw new IllegalStateException("an atomic failed");
            }
        }
    }

    @Override
    public void close() {
        network.close();
    }
}
