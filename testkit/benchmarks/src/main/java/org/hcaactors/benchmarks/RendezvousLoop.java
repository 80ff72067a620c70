// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.nio.ByteBuffer;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.TagMatching;
import org.hcaactors.api.queue.TagSharedReceiveQueue;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagAdd;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/** Messages that the receiver's adapter fetches, over RC in a closed loop, MTU 4096. */
final class RendezvousLoop implements AutoCloseable {
    private static final int HEADERS = TagHeader.BYTES + RendezvousHeader.BYTES;
    private static final int DATA_FROM = 4096;
    private static final long TAG = 1;

    private final RdmaNetwork network = RdmaNetwork.start();
    private final Ends<RcEnd> ends;
    private final TagSharedReceiveQueue queue;
    private final TagAdd add;
    private final Receive notification;
    private final ClosedLoop loop;

    /**
     * Creates the loop.
     *
     * @param window messages in progress: until both sides know that the data has arrived
     */
    RendezvousLoop(int bytes, int window) {
        Side alice = Side.of(network, network.addAdapter("alice", Profile.CONNECTX_5), "app", DATA_FROM + bytes);
        Side bob = Side.of(network, network.addAdapter("bob", Profile.CONNECTX_5), "app", bytes);
        CompletionQueue received = network.await(bob.context().createCq(8 * window));
        queue = network.await(bob.domain()
                .createSrq(SrqDescription.DEFAULT.withTagMatching(
                        TagMatching.of(received).withMaxTags(window).withMaxOperations(4 * window))));
        ends = RcEnd.connect(
                network,
                Half.on(alice).withQueues(network, 4 * window),
                Half.on(bob).withSrq(queue),
                RcConnection.DEFAULT.withMtu(PathMtu.BYTES_4096));
        add = TagAdd.of(1, Receive.of(1, bob.slice(0, bytes)), TAG).withSignaled();
        notification = Receive.of(2, alice.slice(HEADERS, TagHeader.BYTES));
        for (int i = 0; i < window; i++) {
            queue.add(add);
            ends.a().postReceive(notification);
        }
        network.await(queue.queryTags());
        alice.memory().write(0, description(new RendezvousHeader(alice.remote(DATA_FROM), bytes)));
        Send message = Send.of(3, alice.slice(0, HEADERS)).withSignaled();
        loop = new ClosedLoop(window, place -> ends.a().qp().post(message));
        received.completions(Delivery.ADAPTER_THREAD).subscribe(Subscribers.forEach(this::received));
        ends.a().sendCq().completions(Delivery.ADAPTER_THREAD).subscribe(Subscribers.forEach(LoopOutcome::isSuccess));
        ends.a().recvCq().completions(Delivery.ADAPTER_THREAD).subscribe(Subscribers.forEach(this::notification));
    }

    private static byte[] description(RendezvousHeader where) {
        ByteBuffer all = ByteBuffer.allocate(HEADERS);
        TagHeader.rendezvous(0, TAG).write(all);
        where.write(all);
        return all.array();
    }

    private void received(WorkCompletion completion) {
        if (!LoopOutcome.isSuccess(completion)) {
            return;
        }
        boolean isThere = completion.tagging().map(TagInfo::dataValid).orElse(false);
        if (completion.kind() == CompletionKind.TM_RECV && isThere) {
            queue.add(add);
            loop.arrived();
        }
    }

    /** Handles a notification; receives that are posted when the network closes are flushed. */
    private void notification(WorkCompletion completion) {
        if (LoopOutcome.isSuccess(completion)) {
            ends.a().postReceive(notification);
            loop.ended();
        }
    }

    void run(long operations) throws InterruptedException {
        loop.run(operations);
    }

    @Override
    public void close() {
        network.close();
    }
}
