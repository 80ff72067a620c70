// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pollers on threads of their own. */
@Timeout(60)
class PollerThreadsTest {
    private static final int REQUESTS = 20_000;
    private static final int WINDOW = 64;
    private static final long LONG = TimeUnit.SECONDS.toNanos(20);

    private final RdmaNetwork network = RdmaNetwork.start();
    private final DeviceContext here =
            network.addAdapter("a", Profile.CONNECTX_6).process("app").open();
    private final DeviceContext there =
            network.addAdapter("b", Profile.CONNECTX_6).process("app").open();

    @AfterEach
    void close() {
        network.close();
    }

    private QpPair<RcQueuePair> pair(CompletionQueue cq) {
        return network.await(QpPair.connectRc(
                here.allocatePd(),
                QpDescription.rc().withSendCq(cq).withCapacity(QpCapacity.of(WINDOW)),
                there.allocatePd(),
                QpDescription.rc()));
    }

    private static void write(QpPair<RcQueuePair> pair, long id) {
        pair.local().post(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0)).withSignaled());
    }

    /** A loop that posts, arms, polls and sleeps until the event comes. */
    @Test
    void aSleepingLoopIsWokenForEveryEntry() {
        CompletionChannel channel = network.await(here.createChannel());
        CompletionQueue cq =
                network.await(here.createCq(CqDescription.of(WINDOW).withChannel(channel)));
        QpPair<RcQueuePair> pair = pair(cq);
        CompletionPoller poller = cq.poller();
        BitSet seen = new BitSet();
        int posted = 0;
        while (seen.cardinality() < REQUESTS) {
            for (; posted < REQUESTS && posted - seen.cardinality() < 1 + posted % 5; posted++) {
                write(pair, posted);
            }
            if (poller.poll(WINDOW, cursor -> seen.set((int) cursor.workId())) == 0) {
                cq.arm(CompletionQueue.Arm.ANY);
                if (poller.poll(WINDOW, cursor -> seen.set((int) cursor.workId())) == 0) {
                    network.await(channel.next(), Duration.ofSeconds(20));
                }
            }
        }
        assertThat(seen.nextClearBit(0)).isEqualTo(REQUESTS);
    }

    @Test
    void aPollAllocatesNothing() {
        CompletionQueue cq = network.await(here.createCq(WINDOW));
        QpPair<RcQueuePair> pair = pair(cq);
        CompletionPoller poller = cq.poller();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] sum = new long[1];
        Consumer<CompletionCursor> handler = cursor -> sum[0] += cursor.workId() + cursor.flags();
        long polls = 0;
        long allocated = 0;
        for (int id = 0; id < 2_000; id++) {
            write(pair, 1);
            int polled = 0;
            long before = threads.getCurrentThreadAllocatedBytes();
            for (long end = System.nanoTime() + LONG; polled == 0 && System.nanoTime() < end; polls++) {
                polled = poller.poll(WINDOW, handler);
            }
            allocated += threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(sum[0]).isEqualTo(2_000);
        assertThat(allocated)
                .as("bytes in %d polls of %d entries", polls, sum[0])
                .isLessThan(2_000 * 8);
    }

    @Test
    void severalThreadsPollOneQueueAndEachEntryComesOnce() throws Exception {
        CompletionQueue cq = network.await(here.createCq(WINDOW));
        QpPair<RcQueuePair> pair = pair(cq);
        AtomicInteger left = new AtomicInteger(REQUESTS);
        AtomicInteger next = new AtomicInteger();
        Callable<BitSet> polls = () -> {
            BitSet seen = new BitSet();
            CompletionPoller poller = cq.poller();
            // Closing the executor interrupts it when the test's time is over.
            while (left.get() > 0 && !Thread.currentThread().isInterrupted()) {
                poller.poll(8, cursor -> {
                    seen.set((int) cursor.workId());
                    left.getAndDecrement();
                    int id = next.getAndIncrement();
                    if (id < REQUESTS) {
                        write(pair, id);
                    }
                });
            }
            return seen;
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<BitSet>> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                all.add(threads.submit(polls));
            }
            for (int i = 0; i < WINDOW / 2; i++) {
                write(pair, next.getAndIncrement());
            }
            BitSet together = new BitSet();
            for (Future<BitSet> each : all) {
                BitSet seen = each.get(30, TimeUnit.SECONDS);
                assertThat(together.intersects(seen)).isFalse();
                together.or(seen);
            }
            assertThat(together.cardinality()).isEqualTo(REQUESTS);
        }
    }
}
