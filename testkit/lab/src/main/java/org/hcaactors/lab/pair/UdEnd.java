// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.pair;

import java.util.concurrent.CompletionStage;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.QKey;
import org.hcaactors.api.address.UdAddress;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpDescription;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.UdWork;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.network.RdmaNetwork;

/**
 * One of two ends that send each other datagrams.
 *
 * @param peer address to which {@link #post} and {@link #submit} send
 */
public record UdEnd(Side side, UdQueuePair qp, UdAddress peer) implements End {
    /** Default Q_Key. */
    public static final int QKEY = 0x1111_1111;

    /** Creates both queue pairs, makes them ready, and gives each the address of the other. */
    public static Ends<UdEnd> introduce(RdmaNetwork network, Half a, Half b, int qkey) {
        UdQueuePair one = network.await(a.domain().createQp(a.describe(QpDescription.ud())));
        UdQueuePair other = network.await(b.domain().createQp(b.describe(QpDescription.ud())));
        return introduce(network, a.side(), one, b.side(), other, qkey);
    }

    /** Makes two queue pairs in RESET ready, and gives each the address of the other. */
    public static Ends<UdEnd> introduce(
            RdmaNetwork network, Side a, UdQueuePair one, Side b, UdQueuePair other, int qkey) {
        network.await(one.activate(QKey.of(qkey)));
        network.await(other.activate(QKey.of(qkey)));
        UdAddress toOther = address(network, a, b.adapter().gid(), other.number(), qkey);
        UdAddress toOne = address(network, b, a.adapter().gid(), one.number(), qkey);
        return new Ends<>(new UdEnd(a, one, toOther), new UdEnd(b, other, toOne));
    }

    /** Returns the address of a queue pair or a group, as reached from a side. */
    public static UdAddress address(RdmaNetwork network, Side from, Gid to, int qpNumber, int qkey) {
        return UdAddress.of(
                network.await(from.domain().createAddressHandle(AddressVector.to(to))), qpNumber, QKey.of(qkey));
    }

    @Override
    public Transport transport() {
        return Transport.UD;
    }

    @Override
    public void post(WorkRequest work) {
        qp.post(peer, transport().carried(UdWork.class, work));
    }

    @Override
    public CompletionStage<WorkCompletion> submit(WorkRequest work) {
        return qp.submit(peer, transport().carried(UdWork.class, work));
    }
}
