// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.client.messages.TagArrival;
import org.hcaactors.client.messages.TagBuffer;
import org.hcaactors.client.messages.TagEndpoint;
import org.hcaactors.client.messages.TagEndpointDescription;
import org.hcaactors.client.messages.TagPeer;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/** Messages between two {@link TagEndpoint}s in a closed loop, MTU 4096; their stages complete on the callers' executor. */
final class EndpointLoop implements AutoCloseable {
    private static final long TAG = 1;

    private final RdmaNetwork network = RdmaNetwork.start();
    private final TagEndpoint inbox;
    private final TagBuffer from;
    private final TagBuffer into;
    private final TagPeer peer;
    private final ClosedLoop loop;

    /**
     * Creates the loop.
     *
     * @param window number of messages in progress; a message is in progress until both sides know that its data has arrived
     */
    EndpointLoop(int bytes, int window) {
        Side alice = Side.of(network, network.addAdapter("alice", Profile.CONNECTX_5), "app", bytes);
        Side bob = Side.of(network, network.addAdapter("bob", Profile.CONNECTX_5), "app", bytes);
        TagEndpoint outbox = network.await(TagEndpoint.open(alice.domain(), TagEndpointDescription.DEFAULT));
        inbox = network.await(TagEndpoint.open(bob.domain(), TagEndpointDescription.DEFAULT));
        peer = network.await(outbox.addPeer());
        TagPeer receiver = network.await(inbox.addPeer());
        RcConnection attributes = RcConnection.DEFAULT.withMtu(PathMtu.BYTES_4096);
        network.await(receiver.connect(peer.gid(), peer.number(), attributes));
        network.await(peer.connect(receiver.gid(), receiver.number(), attributes));
        from = TagBuffer.of(alice.region());
        into = TagBuffer.of(bob.region());
        loop = new ClosedLoop(window, place -> send());
        for (int i = 0; i < window; i++) {
            receive();
        }
    }

    private void send() {
        peer.send(TAG, from).thenRun(loop::ended);
    }

    private void receive() {
        CompletionStage<TagArrival> arrival = inbox.receive(TAG, into).arrival();
        arrival.thenRun(() -> {
            receive();
            loop.arrived();
        });
    }

    void run(long operations) throws InterruptedException {
        loop.run(operations);
    }

    /** Closes the network. IllegalStateException if the adapter did not fetch all messages, so that the program had to. */
    @Override
    public void close() {
        long byProgram = inbox.statistics().arrivals(TagArrival.DeliveryPath.FETCHED_BY_PROGRAM);
        network.close();
        if (byProgram != 0) {
            throw new IllegalStateException(
                    "the program had to fetch " + byProgram + " messages; the adapter must fetch all");
        }
    }
}
