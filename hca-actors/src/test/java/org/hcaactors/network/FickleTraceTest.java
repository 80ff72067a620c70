// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.api.memory.Access.LOCAL_WRITE;
import static org.hcaactors.api.memory.Access.REMOTE_READ;
import static org.hcaactors.api.memory.Access.REMOTE_WRITE;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.HostProcess;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.memory.HostMemory;
import org.hcaactors.api.memory.MemoryRegion;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.fabric.link.Interceptor;
import org.hcaactors.fabric.link.Verdict;
import org.junit.jupiter.api.Test;

/** A trace that is enabled and disabled repeatedly does not change what an adapter does. */
class FickleTraceTest {
    private static final int ROUNDS = 300;
    private static final int BYTES = 20_000;

    /** Changes its state after a few reads of {@link #enabled}, within turns and batches. */
    private static final class SwitchingTrace implements TraceSink {
        private final AtomicLong ids = new AtomicLong();
        private final AtomicLong asked = new AtomicLong();
        private final AtomicLong told = new AtomicLong();

        @Override
        public boolean enabled() {
            return new SplittableRandom(asked.incrementAndGet() / 7).nextBoolean();
        }

        @Override
        public long nextId() {
            return ids.incrementAndGet();
        }

        @Override
        public void record(TraceEvent event) {
            told.incrementAndGet();
        }
    }

    @Test
    void bytesComeAsTheyWereSentOverAWireThatLoses() {
        SwitchingTrace fickle = new SwitchingTrace();
        SplittableRandom random = new SplittableRandom(3);
        int[] seen = {0};
        try (RdmaNetwork network = RdmaNetwork.start(Environment.production().withTrace(fickle))) {
            Adapter a = network.addAdapter("a", Profile.CONNECTX_5);
            Adapter b = network.addAdapter("b", Profile.CONNECTX_5);
            HostProcess app = a.process("app");
            HostProcess store = b.process("store");
            ProtectionDomain from = app.open().allocatePd();
            ProtectionDomain to = store.open().allocatePd();
            HostMemory memory = app.allocate(2 * BYTES);
            HostMemory far = store.allocate(BYTES);
            MemoryRegion source = network.await(from.register(memory, LOCAL_WRITE));
            MemoryRegion target = network.await(to.register(far, LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ));
            QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                    from, to, RcConnection.DEFAULT.withTimeoutCode(9).withRetryCount(7)));
            network.intercept(transit -> ++seen[0] % 97 == 0 ? new Verdict.Drop("one in 97") : Verdict.PASS);
            for (int round = 0; round < ROUNDS; round++) {
                if (round == ROUNDS / 2) {
                    network.intercept(Interceptor.NONE);
                }
                byte[] bytes = new byte[BYTES];
                random.nextBytes(bytes);
                memory.write(0, bytes);
                assertThat(network.await(pair.local()
                                        .submit(RdmaWrite.of(round, source.slice(0, BYTES), target.remote(0))))
                                .isSuccess())
                        .isTrue();
                assertThat(far.read(0, BYTES)).isEqualTo(bytes);
                assertThat(network.await(pair.local()
                                        .submit(RdmaRead.of(round, source.slice(BYTES, BYTES), target.remote(0))))
                                .isSuccess())
                        .isTrue();
                assertThat(memory.read(BYTES, BYTES)).isEqualTo(bytes);
            }
        }
        assertThat(fickle.told.get()).isPositive().isLessThan(fickle.asked.get());
    }
}
