// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.hcaactors.api.completion.CompletionCursor;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CompletionReader;
import org.hcaactors.api.completion.CompletionReader.End;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.device.DeviceContext;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.memory.RemoteAddress;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers on real threads. */
@Timeout(120)
@Tag("judge")
class ReaderThreadsTest {
    private static final int WINDOW = 64;
    private static final int ALL = 20_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final RdmaNetwork network = RdmaNetwork.start();
    private final DeviceContext context =
            network.addAdapter("a", Profile.CONNECTX_5).process("app").open();
    private final CompletionQueue cq = network.await(context.createCq(WINDOW));
    private final ProtectionDomain domain = context.allocatePd();
    private final QpPair<RcQueuePair> pair =
            network.await(QpPair.connectRc(domain, QpDescription.rc().withSendCq(cq), domain, QpDescription.rc()));
    private final List<Long> seen = new ArrayList<>(ALL);
    private final CountDownLatch all = new CountDownLatch(ALL);
    private final AtomicInteger atOnce = new AtomicInteger();

    private void write(long id) {
        pair.local().post(RdmaWrite.of(id, List.of(), new RemoteAddress(0, 0)).withSignaled());
    }

    /** Posts another request for each completion, so that the ring is full whenever the handler is slow. */
    private void take(CompletionCursor cursor) {
        assertThat(atOnce.incrementAndGet()).as("handlers that run").isEqualTo(1);
        seen.add(cursor.workId());
        if (cursor.workId() + WINDOW < ALL) {
            write(cursor.workId() + WINDOW);
        }
        all.countDown();
        atOnce.decrementAndGet();
    }

    /** Posts before there is a reader: a handler posts, too, and the order of the posts must be known. */
    private void fillTheWindow() {
        for (int i = 0; i < WINDOW; i++) {
            write(i);
        }
    }

    private void allCameOnceAndInOrder() throws InterruptedException {
        assertThat(all.await(60, TimeUnit.SECONDS))
                .as("%d are left", all.getCount())
                .isTrue();
        assertThat(seen)
                .containsExactlyElementsOf(LongStream.range(0, ALL).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void entriesAreShownOnceAndInOrder(boolean onAdapterThread) throws InterruptedException {
        try (network) {
            fillTheWindow();
            CompletionReader reader =
                    cq.forEachCompletion(onAdapterThread ? Delivery.ADAPTER_THREAD : Delivery.CALLERS, this::take);
            allCameOnceAndInOrder();
            reader.close();
            assertThat(network.await(reader.ended())).isEqualTo(End.CLOSED);
        }
    }

    /** Another thread than the handler's closes them. */
    @Test
    void successiveReadersGetEveryEntryOnceAndInOrder() throws InterruptedException {
        try (network) {
            fillTheWindow();
            int readers = 0;
            while (all.getCount() > 0 && !Thread.interrupted()) {
                boolean onAdapterThread = readers++ % 2 == 0;
                CompletionReader reader =
                        cq.forEachCompletion(onAdapterThread ? Delivery.ADAPTER_THREAD : Delivery.CALLERS, this::take);
                long before = all.getCount();
                await("100 more entries are shown")
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> all.getCount() == 0 || all.getCount() <= before - 100);
                reader.close();
                assertThat(network.await(reader.ended())).isEqualTo(End.CLOSED);
            }
            allCameOnceAndInOrder();
        }
    }

    @Test
    void aHandlerMayAwaitItsOwnRequests() throws InterruptedException {
        try (network) {
            CountDownLatch done = new CountDownLatch(50);
            cq.forEachCompletion(cursor -> {
                if (done.getCount() > 0) {
                    pair.remote().postReceive(Receive.of(cursor.workId()));
                    network.await(pair.local().submit(Send.of(cursor.workId())));
                    write(cursor.workId() + 1);
                    done.countDown();
                }
            });
            write(0);
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aReaderWithABusyHandlerEndsWithItsNetwork() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletionReader reader = cq.forEachCompletion(cursor -> {
            inside.countDown();
            reached(goOn, "the handler may go on");
        });
        write(0);
        reached(inside, "the handler runs");
        Thread closing = Thread.startVirtualThread(network::close);
        untilNobodyCanAsk();
        goOn.countDown();
        assertThat(end(reader)).isEqualTo(End.QUEUE_DESTROYED);
        assertThat(closing.join(TIMEOUT)).as("the network is closed").isTrue();
    }

    private void untilNobodyCanAsk() {
        await("the queue says that its network closes, and no longer that it has a reader")
                .until(() ->
                        !(network.await(cq.poll(1).handle((taken, reason) -> reason)) instanceof VerbsException busy
                                && busy.errno() == Errno.EBUSY));
    }

    private static void reached(CountDownLatch latch, String what) {
        try {
            assertThat(latch.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .as(what)
                    .isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aReaderEndsWithItsNetwork() {
        CompletionReader reader = cq.forEachCompletion(this::take);
        network.close();
        assertThat(end(reader)).isEqualTo(End.QUEUE_DESTROYED);
    }

    private static End end(CompletionReader reader) {
        return reader.ended()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }
}
