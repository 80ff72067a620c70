// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.benchmarks;

import org.hcaactors.api.capability.TagCapabilities;
import org.hcaactors.api.completion.Delivery;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.network.RdmaNetwork;

/** Tagged messages over RC in a closed loop; both subscribers run on the adapter's thread. */
final class TagLoop implements AutoCloseable {
    /** As long as the longest list of a ConnectX-5, for entries that do not match, plus those that messages take. */
    private static final Profile LONG_LIST = withTags(2047);

    private final RdmaNetwork network = RdmaNetwork.start();
    private final ClosedLoop loop;

    private static Profile withTags(int tags) {
        TagCapabilities can = Profile.CONNECTX_5.tags();
        return Profile.CONNECTX_5.with(can.withMaxTags(tags));
    }

    /**
     * Creates the loop.
     *
     * @param compared number of receives, of which each message takes the last
     */
    TagLoop(Matching.Maker maker, int compared) {
        Side alice = Side.of(network, network.addAdapter("alice", Profile.CONNECTX_5), "app", Matching.MEMORY);
        Side bob = Side.of(network, network.addAdapter("bob", LONG_LIST), "app", Matching.MEMORY);
        Matching matching = maker.make(network, bob, compared - 1);
        QpCapacity capacity = QpCapacity.of(2 * Matching.WINDOW).withMaxSge(1).withMaxInlineBytes(0);
        Half from = Half.on(alice).withCapacity(capacity).withQueues(network, 2 * Matching.WINDOW);
        Half into =
                Half.on(bob).withCapacity(capacity).withSrq(matching.queue()).withRecvCq(matching.completions());
        Ends<RcEnd> ends = RcEnd.connect(network, from, into, RcConnection.DEFAULT);
        alice.memory().write(0, TagHeader.eager(0, Matching.TAG).bytes());
        Send message =
                Send.of(1, alice.slice(0, TagHeader.BYTES + Matching.BYTES)).withSignaled();
        loop = new ClosedLoop(Matching.WINDOW, place -> ends.a().qp().post(message));
        ends.a().sendCq().completions(Delivery.ADAPTER_THREAD).subscribe(Subscribers.forEach(this::sent));
        matching.completions()
                .completions(Delivery.ADAPTER_THREAD)
                .subscribe(Subscribers.forEach(each -> completed(matching, each)));
    }

    private void completed(Matching matching, WorkCompletion completion) {
        if (LoopOutcome.isSuccess(completion) && matching.ended(completion)) {
            loop.arrived();
        }
    }

    void run(long messages) throws InterruptedException {
        loop.run(messages);
    }

    private void sent(WorkCompletion completion) {
        if (LoopOutcome.isSuccess(completion)) {
            loop.ended();
        }
    }

    @Override
    public void close() {
        network.close();
    }
}
