// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/** RDMA READ over RC in a closed loop, MTU 4096. */
final class ReadLoop implements AutoCloseable {
    private final RdmaNetwork network = RdmaNetwork.start();
    private final ClosedLoop loop;

    /**
     * Creates the loop.
     *
     * @param window outstanding requests
     */
    ReadLoop(int bytes, int window) {
        Side alice = Side.of(network, network.addAdapter("alice", Profile.CONNECTX_5), "app", bytes);
        Side bob = Side.of(network, network.addAdapter("bob", Profile.CONNECTX_5), "app", bytes);
        Ends<RcEnd> ends = RcEnd.connect(
                network,
                Half.on(alice),
                Half.on(bob).withQueues(network, 2 * window),
                RcConnection.DEFAULT.withMtu(PathMtu.BYTES_4096));
        RdmaRead read = RdmaRead.of(1, bob.slice(0, bytes), alice.remote(0)).withSignaled();
        loop = new ClosedLoop(window, place -> ends.b().qp().post(read));
        ends.b().sendCq().completions(Delivery.ADAPTER_THREAD).subscribe(Subscribers.forEach(this::ended));
    }

    void run(long operations) throws InterruptedException {
        loop.run(operations);
    }

    /** Ends a READ at both sides at once. */
    private void ended(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new IllegalStateException(completion.toString());
        }
        loop.ended();
        loop.arrived();
    }

    @Override
    public void close() {
        network.close();
    }
}
