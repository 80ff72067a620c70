// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.post;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.hcaactors.api.completion.CompletionPoller;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.PostRefusedException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

// rule post-list
/** Threads that post lists to one queue pair. */
@Timeout(60)
class ListsOfThreadsTest {
    private static final int THREADS = 3;
    private static final int LISTS = 1_000;
    private static final int LENGTH = 7;
    private static final int TOTAL = THREADS * LISTS * LENGTH;

    private final RdmaNetwork network = RdmaNetwork.start();
    private final DeviceContext here =
            network.addAdapter("a", Profile.CONNECTX_6).process("app").open();
    private final DeviceContext there =
            network.addAdapter("b", Profile.CONNECTX_6).process("app").open();

    @AfterEach
    void close() {
        network.close();
    }

    private static RcWork request(long id) {
        return RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0)).withSignaled();
    }

    /** Posts lists of consecutive ids, each again from the element that found no slot. */
    private static Void post(RcQueuePair queuePair, long first) {
        for (long list = first; list < first + LISTS && !Thread.currentThread().isInterrupted(); list++) {
            List<RcWork> rest = LongStream.range(list * LENGTH, (list + 1) * LENGTH)
                    .mapToObj(ListsOfThreadsTest::request)
                    .toList();
            while (!rest.isEmpty() && !Thread.currentThread().isInterrupted()) {
                rest = rest.subList(posted(queuePair, rest), rest.size());
            }
        }
        return null;
    }

    private static int posted(RcQueuePair queuePair, List<RcWork> list) {
        try {
            queuePair.post(list);
            return list.size();
        } catch (PostRefusedException full) {
            assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
            return full.index();
        }
    }

    private List<Long> completedOf(int sendQueue) throws Exception {
        CompletionQueue cq = network.await(here.createCq(sendQueue));
        QpPair<RcQueuePair> pair = network.await(QpPair.connectRc(
                here.allocatePd(),
                QpDescription.rc()
                        .withSendCq(cq)
                        .withCapacity(QpCapacity.of(sendQueue).withMaxSge(1).withMaxInlineBytes(0)),
                there.allocatePd(),
                QpDescription.rc()));
        List<Long> completed = new ArrayList<>(TOTAL);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Void>> posters = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                long first = (long) i * LISTS;
                Callable<Void> poster = () -> post(pair.local(), first);
                posters.add(threads.submit(poster));
            }
            CompletionPoller poller = cq.poller();
            for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
                    completed.size() < TOTAL && System.nanoTime() < end; ) {
                poller.poll(64, cursor -> completed.add(cursor.workId()));
            }
            for (Future<Void> each : posters) {
                each.get(10, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        return completed;
    }

    @Test
    void requestsOfOneListAreNextToEachOther() throws Exception {
        List<Long> completed = completedOf(1 << 15);
        assertThat(completed).hasSize(TOTAL);
        for (int i = 0; i < TOTAL; i++) {
            if (completed.get(i) % LENGTH != 0) {
                assertThat(completed.get(i)).as("completion %d", i).isEqualTo(completed.get(i - 1) + 1);
            }
        }
    }

    @Test
    void aQueueThatIsOftenFullLosesAndRepeatsNothing() throws Exception {
        List<Long> completed = completedOf(16);
        assertThat(completed).hasSize(TOTAL).doesNotHaveDuplicates();
    }
}
