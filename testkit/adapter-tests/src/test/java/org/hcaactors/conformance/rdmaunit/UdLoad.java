// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.conformance.rdmaunit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.CompletionChannel;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.ProtectionDomain;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;

/**
 * Datagrams from many queue pairs to many, in rounds with one from each sender to each of its receivers; each is identified by
 * its contents and compared whole.
 */
final class UdLoad {
    private static final int QKEY = 200;
    /** Extra slots for receives left over by a burst. */
    private static final int SPARE = 16;

    private static final int GRH = UdQueuePair.GRH_BYTES;

    private final Ground ground;
    private final ProtectionDomain here;
    private final ProtectionDomain there;
    private final int maxBytes;
    private final int max;
    private final CompletionQueue sendCq;
    private final CompletionChannel channel;
    private final CompletionQueue recvCq;
    private final List<UdQueuePair> senders = new ArrayList<>();
    private final List<UdQueuePair> receivers = new ArrayList<>();
    private final List<AddressHandle> paths = new ArrayList<>();
    private final Slots ours;
    private final Slots theirs;

    /**
     * Creates the queue pairs, for at most {@code max} datagrams per round; with {@code ownPaths} each sender has its own
     * address handle. Arrivals are reported to a channel.
     */
    UdLoad(Ground ground, int senderCount, int receiverCount, int max, int maxBytes, boolean ownPaths) {
        this.ground = ground;
        this.max = max;
        this.maxBytes = maxBytes;
        here = domain(ground.a());
        there = domain(ground.b());
        sendCq = ground.await(here.context().createCq(max));
        channel = ground.await(there.context().createChannel());
        recvCq = ground.await(there.context().createCq(CqDescription.of(max).withChannel(channel)));
        for (int i = 0; i < senderCount; i++) {
            senders.add(ready(here, sendCq, max / senderCount + SPARE));
            if (ownPaths || i == 0) {
                paths.add(ground.await(
                        here.createAddressHandle(AddressVector.to(ground.b().gid()))));
            }
        }
        for (int i = 0; i < receiverCount; i++) {
            receivers.add(ready(there, recvCq, max / receiverCount + SPARE));
        }
        ours = Slots.of(ground, ground.a().process("load"), here, max, maxBytes, 0);
        theirs = Slots.of(ground, ground.b().process("load"), there, max, GRH + maxBytes, 1);
    }

    private static ProtectionDomain domain(Adapter adapter) {
        return adapter.process("load").open().allocatePd();
    }

    private UdQueuePair ready(ProtectionDomain domain, CompletionQueue cq, int queue) {
        QpCapacity capacity = QpCapacity.of(queue).withMaxSge(1).withMaxInlineBytes(0);
        UdQueuePair qp =
                ground.await(domain.createQp(QpDescription.ud().withSendCq(cq).withCapacity(capacity)));
        ground.await(qp.activate(QKey.of(QKEY)));
        return qp;
    }

    CompletionChannel channel() {
        return channel;
    }

    CompletionQueue sendCq() {
        return sendCq;
    }

    CompletionQueue recvCq() {
        return recvCq;
    }

    /** Posts one round of {@code count} datagrams, with sizes by number, without waiting. */
    void post(int count, IntUnaryOperator bytes) {
        assertThat(count).isLessThanOrEqualTo(max);
        for (int slot = 0; slot < count; slot++) {
            UdQueuePair receiver = receivers.get(slot % receivers.size());
            int sender = slot / receivers.size() % senders.size();
            receiver.postReceive(Receive.of(slot, theirs.local(slot, GRH + maxBytes)));
            UdAddress to = UdAddress.of(paths.get(sender % paths.size()), receiver.number(), QKey.of(QKEY));
            senders.get(sender)
                    .post(
                            to,
                            Send.of(slot, ours.local(slot, bytes.applyAsInt(slot)))
                                    .withImmediate(slot)
                                    .withSignaled());
        }
    }

    /** Checks that the whole round was sent and arrived. */
    void check(int count, IntUnaryOperator bytes) {
        checkSent(ground.all(sendCq), count);
        List<WorkCompletion> received = ground.all(recvCq);
        assertThat(received.size()).isEqualTo(count);
        checkReceived(received, bytes);
    }

    void checkSent(List<WorkCompletion> sent, int count) {
        assertThat(sent.size()).isEqualTo(count);
        assertThat(sent).extracting(WorkCompletion::status).containsOnly(Status.SUCCESS);
    }

    /** Checks that each arrived once and whole. */
    void checkReceived(List<WorkCompletion> received, IntUnaryOperator bytes) {
        assertThat(received).extracting(WorkCompletion::status).containsOnly(Status.SUCCESS);
        assertThat(received).extracting(done -> done.immediate().orElseThrow()).doesNotHaveDuplicates();
        for (WorkCompletion done : received) {
            int which = done.immediate().orElseThrow();
            int expected = bytes.applyAsInt(which);
            assertThat(done.lengthBytes()).isEqualTo(GRH + expected);
            theirs.holds((int) done.workId(), GRH, ours.pattern(which, expected));
        }
        received.forEach(done -> theirs.restore((int) done.workId()));
    }

    void run(int rounds, int count, IntUnaryOperator bytes) {
        for (int round = 0; round < rounds; round++) {
            post(count, bytes);
            check(count, bytes);
        }
    }
}
