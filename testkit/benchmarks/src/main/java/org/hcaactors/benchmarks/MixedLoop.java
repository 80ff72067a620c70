// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/**
 * Several kinds of requests of 64 bytes between two adapters, each kind in its own closed loop; each side has one completion
 * queue for all of them, with one subscriber on the adapter's thread.
 */
final class MixedLoop implements AutoCloseable {
    private final RdmaNetwork network = RdmaNetwork.start();
    private final List<MixedLane> lanes = new ArrayList<>();
    private final Map<MixedKind, MixedLane> byKind = new EnumMap<>(MixedKind.class);

    MixedLoop(Set<MixedKind> kinds) {
        Half requester = half("alice", kinds.size());
        Half responder = half("bob", kinds.size());
        for (MixedKind kind : kinds) {
            MixedLane lane = new MixedLane(network, kind, requester, responder, (long) lanes.size() * MixedLane.SLOTS);
            lanes.add(lane);
            byKind.put(kind, lane);
        }
        queue(requester).completions(Delivery.ADAPTER_THREAD).subscribe(Subscribers.forEach(this::ended));
        queue(responder).completions(Delivery.ADAPTER_THREAD).subscribe(Subscribers.forEach(this::arrived));
    }

    private Half half(String name, int kinds) {
        int slots = kinds * MixedLane.SLOTS;
        Side side = Side.of(
                network, network.addAdapter(name, Profile.CONNECTX_5), "app", (long) slots * MixedLane.SLOT_BYTES);
        CompletionQueue queue = network.await(side.context().createCq(2 * slots));
        return Half.on(side).withSendCq(queue).withRecvCq(queue);
    }

    private static CompletionQueue queue(Half half) {
        return half.sendCq().orElseThrow();
    }

    private void ended(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.toString());
        }
        lane(completion).ended();
    }

    /** Handles an arrival; unused receives are flushed when the network closes. */
    private void arrived(WorkCompletion completion) {
        if (completion.isSuccess()) {
            lane(completion).arrived((int) (completion.workId() % MixedLane.SLOTS));
        }
    }

    private MixedLane lane(WorkCompletion completion) {
        return lanes.get((int) (completion.workId() / MixedLane.SLOTS));
    }

    /** Runs the given number of operations of each kind, all kinds at the same time. */
    void together(long each) throws InterruptedException {
        List<CountDownLatch> under = new ArrayList<>();
        for (MixedLane lane : lanes) {
            under.add(lane.begin(each));
        }
        for (CountDownLatch done : under) {
            done.await();
        }
    }

    /** Runs the given number of operations of each kind, one kind after the other. */
    void oneAfterAnother(long each) throws InterruptedException {
        for (MixedLane lane : lanes) {
            lane.begin(each).await();
        }
    }

    /** Runs the given number of operations of one kind only. */
    void only(MixedKind kind, long operations) throws InterruptedException {
        MixedLane lane = byKind.get(kind);
        if (lane == null) {
            throw new IllegalArgumentException(kind + " is not a kind of this loop");
        }
        lane.begin(operations).await();
    }

    @Override
    public void close() {
        network.close();
    }
}
