// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.device.Adapter;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.QpPair;
import org.hcaactors.api.queue.RcQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.Environment;
import org.hcaactors.network.RdmaNetwork;

/** SENDs over many connections of one network, in closed loops; all subscribers are on the adapter's threads. */
final class ShardLoop implements AutoCloseable {
    private static final int BYTES = 64;
    private static final int SLOTS = 128;

    private final RdmaNetwork network;
    private final Adapter alice;
    private final Adapter bob;
    private final int window;
    private final List<Lane> lanes = new ArrayList<>();

    /**
     * Creates the connections.
     *
     * @param shards shards of the network
     * @param near shard of the requester, by the number of its connection
     * @param far shard of the responder
     */
    ShardLoop(int shards, int pairs, int window, IntUnaryOperator near, IntUnaryOperator far) {
        this.window = window;
        network = RdmaNetwork.start(Environment.production().withShards(shards));
        alice = network.addAdapter("alice", Profile.CONNECTX_5);
        bob = network.addAdapter("bob", Profile.CONNECTX_5);
        for (int i = 0; i < pairs; i++) {
            lanes.add(new Lane(near.applyAsInt(i), far.applyAsInt(i)));
        }
    }

    /** Starts the given number of operations, evenly over the connections; the latch opens when they are complete. */
    CountDownLatch start(long operations) {
        CountDownLatch done = new CountDownLatch(lanes.size());
        lanes.forEach(each -> each.start(operations / lanes.size(), done));
        return done;
    }

    @Override
    public void close() {
        network.close();
    }

    /** One connection. Its counters belong to the thread of the requester. */
    private final class Lane {
        private final QpPair<RcQueuePair> pair;
        private final Send[] sends = new Send[SLOTS];
        private final Receive[] receives = new Receive[SLOTS];
        private long toPost;
        private long toComplete;
        private volatile CountDownLatch done = new CountDownLatch(0);

        Lane(int near, int far) {
            Side local = Side.of(network, alice, "app", BYTES * SLOTS);
            Side remote = Side.of(network, bob, "app", BYTES * SLOTS);
            pair = network.await(QpPair.connectRc(local.domain(), end(local, near), remote.domain(), end(remote, far)));
            for (int i = 0; i < SLOTS; i++) {
                sends[i] = Send.of(i, local.slice((long) i * BYTES, BYTES)).withSignaled();
                receives[i] = Receive.of(i, remote.slice((long) i * BYTES, BYTES));
                pair.remote().postReceive(receives[i]);
            }
            Polling.FLOW_ON_ADAPTER_THREAD.start(pair.local().sendCq(), this::sent);
            Polling.FLOW_ON_ADAPTER_THREAD.start(pair.remote().recvCq(), this::arrived);
        }

        private QpDescription<RcQueuePair> end(Side side, int shard) {
            QpCapacity capacity = QpCapacity.of(SLOTS).withMaxSge(1).withMaxInlineBytes(0);
            return QpDescription.rc()
                    .withCapacity(capacity)
                    .withSendCq(queue(side, shard))
                    .withRecvCq(queue(side, shard));
        }

        private CompletionQueue queue(Side side, int shard) {
            return network.await(
                    side.context().createCq(CqDescription.of(2 * SLOTS).withShard(shard)));
        }

        void start(long operations, CountDownLatch whenDone) {
            toPost = operations - window;
            toComplete = operations;
            done = whenDone;
            for (int i = 0; i < window; i++) {
                pair.local().post(sends[i]);
            }
        }

        private void sent(long id) {
            if (toPost > 0) {
                toPost--;
                pair.local().post(sends[(int) id]);
            }
            if (--toComplete == 0) {
                done.countDown();
            }
        }

        private void arrived(long id) {
            pair.remote().postReceive(receives[(int) id]);
        }
    }
}
