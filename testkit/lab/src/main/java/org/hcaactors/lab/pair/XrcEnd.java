// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.queue.SharedReceiveQueue;
import org.hcaactors.api.queue.SrqDescription;
import org.hcaactors.api.queue.XrcDomain;
import org.hcaactors.api.queue.XrcDomainDescription;
import org.hcaactors.api.queue.XrcQueuePair;
import org.hcaactors.api.queue.XrcTarget;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.network.RdmaNetwork;

/**
 * One end of two XRC connections, one for each direction.
 *
 * @param shared the XRC domain of {@link #FILE}, shared by all such ends of an adapter
 * @param target target of the peer's requests
 * @param queue shared receive queue of requests that name no other, and owner of the memory that they reach
 * @param peerQueue number of the queue that {@link #post} and {@link #submit} name
 */
public record XrcEnd(Side side, XrcDomain shared, XrcQueuePair qp, XrcTarget target, NamedQueue queue, int peerQueue)
        implements End {
    /** File of the XRC domain, as in ibv_xsrq_pingpong. */
    public static final String FILE = "/tmp/xrc_domain";

    /** An end before it knows its peer. */
    private record Unconnected(Side side, XrcDomain shared, XrcQueuePair qp, XrcTarget target, NamedQueue queue) {
        static Unconnected of(RdmaNetwork network, Half half) {
            Side side = half.side();
            XrcQueuePair qp = network.await(side.domain().createQp(half.describe(QpDescription.xrc())));
            XrcDomain shared = network.await(side.context().openXrcDomain(XrcDomainDescription.of(FILE)));
            XrcTarget target = network.await(shared.createTarget());
            CompletionQueue completions = half.recvCq()
                    .orElseGet(() -> network.await(
                            side.context().createCq(Math.max(1, half.capacity().maxRecvWr()))));
            SrqDescription<SharedReceiveQueue> size = SrqDescription.of(
                            half.capacity().maxRecvWr())
                    .withMaxSge(half.capacity().maxRecvSge());
            return new Unconnected(side, shared, qp, target, NamedQueue.in(network, shared, side, completions, size));
        }

        XrcEnd connectedTo(Unconnected peer) {
            return new XrcEnd(side, shared, qp, target, queue, peer.queue().number());
        }
    }

    /** Creates the queues of both ends and connects them, both ways; {@code attributes} are those of the first. */
    public static Ends<XrcEnd> connect(RdmaNetwork network, Half a, Half b, RcConnection attributes) {
        Unconnected one = Unconnected.of(network, a);
        Unconnected other = Unconnected.of(network, b);
        connect(network, one.qp(), other.target(), attributes);
        connect(network, other.qp(), one.target(), attributes.reversed());
        return new Ends<>(one.connectedTo(other), other.connectedTo(one));
    }

    /** Connects an initiator to a target; {@code attributes} are those of the initiator. */
    public static void connect(RdmaNetwork network, XrcQueuePair initiator, XrcTarget target, RcConnection attributes) {
        network.await(target.connect(initiator.gid(), initiator.number(), attributes.reversed()));
        network.await(initiator.connect(target.gid(), target.number(), attributes));
    }

    @Override
    public Transport transport() {
        return Transport.XRC;
    }

    @Override
    public XrcTarget receiver() {
        return target;
    }

    @Override
    public void post(WorkRequest work) {
        qp.post(peerQueue, transport().carried(RcWork.class, work));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(WorkRequest work) {
        return submit(peerQueue, work);
    }

    /** Submits a request that names another queue of the peer's domain. */
    public CompletionStage<WorkCompletion> submit(int srqNumber, WorkRequest work) {
        return qp.submit(srqNumber, transport().carried(RcWork.class, work));
    }

    @Override
    public void postReceive(Receive receive) {
        queue.postReceive(receive);
    }

    @Override
    public CompletionQueue recvCq() {
        return queue.completions();
    }
}
