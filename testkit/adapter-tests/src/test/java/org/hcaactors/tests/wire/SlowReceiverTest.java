// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.pair.UdEnd;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

// rule qp-receive-buffer
/** A datagram queue pair whose thread is blocked while others, on their own threads, send to it. */
class SlowReceiverTest {
    private static final int SHARDS = 3;
    /** By each sender. */
    private static final int SENT = 6_000;

    private static final int AT_A_TIME = 500;
    private static final int MAX = 4_096;
    private static final int LONGEST_TRAIN = 64;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final RdmaNetwork network =
            RdmaNetwork.start(Environment.production().withShards(SHARDS));
    private final Side a = Side.of(network, network.addAdapter("a", Profile.CONNECTX_5), "app", 64);
    private final Side b = Side.of(network, network.addAdapter("b", Profile.CONNECTX_5), "app", 128);
    private final CountDownLatch stands = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<Integer> marks = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        goesOn.countDown();
        network.close();
    }

    private UdQueuePair queuePair(Side side, int shard, int receives) {
        QpCapacity sizes = QpCapacity.of(2 * MAX).withMaxRecvWr(receives).withMaxSge(1);
        CompletionQueue cq =
                network.await(side.context().createCq(CqDescription.of(3 * MAX).withShard(shard)));
        UdQueuePair qp = network.await(side.domain()
                .createQp(QpDescription.ud().withCapacity(sizes).withSendCq(cq).withRecvCq(cq)));
        network.await(qp.activate(QKey.of(UdEnd.QKEY)));
        return qp;
    }

    /** Creates a queue pair whose thread blocks in the handler of its first message until it is released. */
    private UdQueuePair receiver(int shard) {
        UdQueuePair qp = queuePair(b, shard, 2 * MAX);
        for (int i = 0; i < 2 * MAX; i++) {
            qp.postReceive(Receive.of(i, b.slice(0, 128)));
        }
        qp.recvCq().completions(Delivery.ADAPTER_THREAD).subscribe(Subscribers.forEach(this::received));
        return qp;
    }

    private void received(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            return; // flushed when the network closes
        }
        marks.add(completion.immediate().orElseThrow());
        stands.countDown();
        try {
            assertThat(goesOn.await(60, TimeUnit.SECONDS))
                    .as("the receiver may go on")
                    .isTrue();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(UdQueuePair from, UdAddress to, int firstMark, int count) {
        for (int i = 0; i < count - 1; i++) {
            from.post(to, Send.of(i, a.slice(0, 64)).withImmediate(firstMark + i));
        }
        network.await(from.submit(to, Send.of(count, a.slice(0, 64)).withImmediate(firstMark + count - 1)), TIMEOUT);
    }

    private long dropped() {
        return b.adapter().counters().getOrDefault("rx_discards_phy", 0L);
    }

    /** Blocks the receiver with the first sender's first message; then the senders, in turn, send more than it can hold. */
    private void isFlooded(UdQueuePair receiver, List<UdQueuePair> senders) throws InterruptedException {
        UdAddress to = UdEnd.address(network, a, b.adapter().gid(), receiver.number(), UdEnd.QKEY);
        send(senders.getFirst(), to, 0, 1);
        assertThat(stands.await(60, TimeUnit.SECONDS)).isTrue();
        for (int first = 0; first < SENT; first += AT_A_TIME) {
            for (int i = 0; i < senders.size(); i++) {
                send(senders.get(i), to, (i + 1) * SENT + first, AT_A_TIME);
            }
        }
        long flood = (long) senders.size() * SENT;
        await("all that has no place is dropped").until(() -> dropped() >= flood - MAX);
        goesOn.countDown();
        await("each message is received or dropped").until(() -> marks.size() + dropped() == 1 + flood);
        long lost = dropped();
        assertThat(marks).hasSizeGreaterThan(MAX - LONGEST_TRAIN);
        assertThat(marks.stream().map(mark -> mark / SENT).distinct()).hasSize(1 + senders.size());
        for (int i = 1; i <= senders.size(); i++) {
            int of = i;
            assertThat(marks.stream().filter(mark -> mark / SENT == of))
                    .isSorted()
                    .doesNotHaveDuplicates();
        }

        send(senders.getFirst(), to, 0, 1);
        await("one more message is received").until(() -> marks.size() + lost == 2 + flood);
        assertThat(dropped()).isEqualTo(lost);
    }

    /** The fabric's thread is the one that is blocked: what arrives meanwhile has taken the fast path. */
    @Test
    @Timeout(60)
    void fastPathPacketsAboveTheLimitAreDroppedAndTheRestArrive() throws InterruptedException {
        isFlooded(receiver(0), List.of(queuePair(a, 1, 0)));
    }

    @Test
    @Timeout(60)
    void packetsOfTheFabricAboveTheLimitAreDropped() throws InterruptedException {
        network.tap(event -> {});
        isFlooded(receiver(1), List.of(queuePair(a, 0, 0), queuePair(a, 2, 0)));
    }
}
