// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks.cable;

import java.net.InetAddress;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;

/** One end: a network with an adapter, and memory. */
final class RdmaHost implements AutoCloseable {
    static final int SERVICE = 7174;
    static final QKey QKEY = QKey.of(0x11);
    static final int LARGE = 1 << 20;

    /** Requests and receives of a queue pair. */
    static final int SLOTS = 2048;

    /** Largest path MTU, and a timeout that a JVM on a busy machine keeps while it starts. */
    static final RcConnection TERMS =
            RcConnection.DEFAULT.withMtu(PathMtu.BYTES_4096).withTimeout(Duration.ofMillis(500));

    final RdmaNetwork network;
    final Side side;

    /** Creates an end with an adapter of its own; the network is closed with it. */
    RdmaHost(RdmaNetwork network, String adapter) {
        this.network = network;
        side = Side.of(network, network.addAdapter(adapter, Profile.CONNECTX_5), "app", 2L * LARGE);
    }

    /** Creates an end of a cable. */
    static RdmaHost behindCable(Places places, InetAddress own, InetAddress peer) {
        return new RdmaHost(RdmaNetwork.start(Environment.production().withCable(places.cable(own, peer))), "hca");
    }

    /** Returns a completion queue whose successful completions are passed on by work id, on the adapter's thread. */
    CompletionQueue queue(LongConsumer action) {
        CompletionQueue made = network.await(side.context().createCq(2 * SLOTS));
        made.forEachCompletion(Delivery.ADAPTER_THREAD, cursor -> {
            if (cursor.isSuccess()) {
                action.accept(cursor.workId());
            } else if (cursor.status() != Status.WR_FLUSH_ERR) {
                throw new IllegalStateException(cursor.completion().toString());
            }
        });
        return made;
    }

    static QpCapacity capacity() {
        return QpCapacity.of(SLOTS).withMaxSge(1).withMaxInlineBytes(0);
    }

    UdQueuePair datagrams(CompletionQueue sent, CompletionQueue received) {
        UdQueuePair made = network.await(side.domain()
                .createQp(QpDescription.ud()
                        .withCapacity(capacity())
                        .withSendCq(sent)
                        .withRecvCq(received)));
        network.await(made.activate(QKEY));
        return made;
    }

    LocalSlice slice(int bytes) {
        return side.slice(0, bytes);
    }

    @Override
    public void close() {
        network.close();
    }
}
