// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressHandle;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.DcAccessKey;
import org.hcaactors.api.address.DcAddress;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.DcInitiator;
import org.hcaactors.api.queue.DcTarget;
import org.hcaactors.api.queue.DcTargetDescription;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.network.RdmaNetwork;

/**
 * One of two ends that communicate over DC, each with an initiator and a target.
 *
 * @param receives shared receive queue of the target
 * @param completions completion queue of the target
 * @param peer the target to which {@link #post} and {@link #submit} send
 */
public record DcEnd(
        Side side,
        DcInitiator qp,
        DcTarget target,
        SharedReceiveQueue receives,
        CompletionQueue completions,
        DcAddress peer)
        implements End {
    /** Access key of the targets of all such ends. */
    public static final long ACCESS_KEY = 0xDC;

    /** An end before it knows its peer. */
    private record Unconnected(
            Side side, DcInitiator qp, DcTarget target, SharedReceiveQueue receives, CompletionQueue completions) {
        static Unconnected of(RdmaNetwork network, Half half) {
            Side side = half.side();
            DcInitiator qp =
                    network.await(side.domain().createQp(half.withoutReceives().describe(QpDescription.dc())));
            int entries = Math.max(1, half.capacity().maxRecvWr());
            CompletionQueue completions =
                    half.recvCq().orElseGet(() -> network.await(side.context().createCq(entries)));
            SharedReceiveQueue receives = half.srq()
                    .orElseGet(() -> network.await(side.domain()
                            .createSrq(SrqDescription.of(entries)
                                    .withMaxSge(half.capacity().maxRecvSge()))));
            DcTarget target = network.await(side.domain()
                    .createDcTarget(DcTargetDescription.of(completions, receives, DcAccessKey.of(ACCESS_KEY))));
            return new Unconnected(side, qp, target, receives, completions);
        }

        void open(RdmaNetwork network, RcConnection attributes) {
            network.await(target.open(attributes));
            network.await(qp.open(attributes));
        }

        DcEnd connectedTo(RdmaNetwork network, Unconnected other) {
            AddressHandle path = network.await(side.domain().createAddressHandle(AddressVector.to(other.target.gid())));
            DcAddress peer = DcAddress.of(path, other.target.number(), DcAccessKey.of(ACCESS_KEY));
            return new DcEnd(side, qp, target, receives, completions, peer);
        }
    }

    /** Creates and opens both ends; {@code attributes} are those of the first. */
    public static Ends<DcEnd> introduce(RdmaNetwork network, Half a, Half b, RcConnection attributes) {
        Unconnected one = Unconnected.of(network, a);
        Unconnected other = Unconnected.of(network, b);
        one.open(network, attributes);
        other.open(network, attributes.reversed());
        return new Ends<>(one.connectedTo(network, other), other.connectedTo(network, one));
    }

    @Override
    public Transport transport() {
        return Transport.DC;
    }

    @Override
    public DcTarget receiver() {
        return target;
    }

    @Override
    public void post(WorkRequest work) {
        qp.post(peer, transport().carried(RcWork.class, work));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(WorkRequest work) {
        return qp.submit(peer, transport().carried(RcWork.class, work));
    }

    /** Submits with an access key of the caller's instead of the peer's. */
    public CompletionStage<WorkCompletion> submit(long accessKey, WorkRequest work) {
        DcAddress address = DcAddress.of(peer.addressHandle(), peer.dctNumber(), DcAccessKey.of(accessKey));
        return qp.submit(address, transport().carried(RcWork.class, work));
    }

    @Override
    public void postReceive(Receive receive) {
        receives.postReceive(receive);
    }

    @Override
    public CompletionQueue recvCq() {
        return completions;
    }
}
