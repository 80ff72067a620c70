// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.tests.connection;

import java.util.function.UnaryOperator;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.packet.Packet;

/** REQs that offer other queue pairs than those of their senders. */
public final class Offers {
    private Offers() {}

    /** Returns a REQ with another offer. */
    public static Packet changed(Packet request, UnaryOperator<QueuePairOffer> change) {
        CmDatagram datagram = CmCodec.decode(request).orElseThrow();
        ConnectRequest old = (ConnectRequest) datagram.message();
        ConnectRequest other = new ConnectRequest(
                old.localCommId(),
                old.serviceId(),
                old.caGuid(),
                change.apply(old.queuePair()),
                old.limits(),
                old.remoteResponseTimeout(),
                old.localResponseTimeout(),
                old.maxRetries(),
                old.primary(),
                old.alternate(),
                old.privateData());
        return request.withPayload(CmCodec.encode(new CmDatagram(datagram.transactionId(), other)));
    }

    /** Returns the offer of another queue pair. */
    public static QueuePairOffer withNumber(QueuePairOffer old, int number) {
        return offer(old, number, old.transport(), old.extendedTransport(), old.pathMtu());
    }

    /** Returns the offer of a queue pair of another transport. */
    public static QueuePairOffer withTransport(QueuePairOffer old, int transport, int extended) {
        return offer(old, old.number(), transport, extended, old.pathMtu());
    }

    /** Returns the offer with a path MTU of that code. */
    public static QueuePairOffer withMtu(QueuePairOffer old, int code) {
        return offer(old, old.number(), old.transport(), old.extendedTransport(), code);
    }

    private static QueuePairOffer offer(QueuePairOffer old, int number, int transport, int extended, int mtu) {
        return new QueuePairOffer(
                number, old.qkey(), old.startingPsn(), transport, extended, old.srq(), old.pkey(), mtu);
    }
}
