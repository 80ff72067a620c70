// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.util.List;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.api.address.AddressVector;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.packet.PortAddress;

// rule cm-terms
/**
 * Queue pair of a connection: what its end offers to the peer, and the attributes that follow from the messages of both ends.
 *
 * @param number of the queue pair
 * @param hasSrq it takes receives from a shared receive queue
 * @param own terms of this end
 * @param port of this end
 */
public record CmQueuePair(int number, boolean hasSrq, RcConnection own, LocalPort port) {
    /** Transport of a connection's queue pairs, as a code. */
    static final int RC = 0;

    private static final int NO_LID = 0xFFFF;
    private static final int NO_RATE = 0;
    private static final int NO_SERVICE_LEVEL = 0;

    /** Attributes for a queue pair in INIT. */
    public record BringUp(QpModify toRtr, QpModify toRts) {}

    /** Returns the offer with which this end asks for a connection. */
    public CmTerms asked(PortAddress source, PortAddress peer) {
        CmPath path = new CmPath(
                NO_LID,
                NO_LID,
                source,
                peer,
                0,
                NO_RATE,
                0,
                GlobalRoute.DEFAULT_HOP_LIMIT,
                NO_SERVICE_LEVEL,
                false,
                own.timeoutCode());
        return terms(own.mtu().code(), own.rdAtomic(), own.rdAtomic(), path);
    }

    /** Returns the offer with which this end accepts a request. */
    public CmTerms accepted(ConnectRequest request) {
        return terms(request.queuePair().pathMtu(), resources(request), depth(request), CmPath.NONE);
    }

    private CmTerms terms(int mtu, int resources, int depth, CmPath path) {
        return new CmTerms(
                // The PSN with which the receiver of the message begins (rule cm-terms).
                new QueuePairOffer(number, 0, own.receivePsn(), RC, 0, hasSrq, port.pkey(0), mtu),
                new ConnectionLimits(resources, depth, own.retryCount(), own.rnrRetry(), true),
                path);
    }

    /** Returns the attributes of the passive end; EINVAL if the requested path MTU does not exist. */
    public BringUp ofPassive(PortAddress peer, ConnectRequest request) {
        QueuePairOffer other = request.queuePair();
        return bringUp(
                new QpAttribute.Mtu(mtu(other.pathMtu())),
                pathTo(peer, request.primary().remote()),
                new QpAttribute.DestinationQp(other.number()),
                new QpAttribute.SendPsn(other.startingPsn()),
                new QpAttribute.MaxDestRdAtomic(resources(request)),
                new QpAttribute.MaxRdAtomic(depth(request)),
                new QpAttribute.RetryCount(request.limits().retryCount()),
                new QpAttribute.RnrRetry(request.limits().rnrRetryCount()));
    }

    private int resources(ConnectRequest request) {
        return Math.min(own.rdAtomic(), request.limits().initiatorDepth());
    }

    private int depth(ConnectRequest request) {
        return Math.min(own.rdAtomic(), request.limits().responderResources());
    }

    /** Returns the attributes of the active end, which asked from that source. */
    public BringUp ofActive(PortAddress source, PortAddress peer, ConnectReply reply) {
        return bringUp(
                new QpAttribute.Mtu(own.mtu()),
                pathTo(peer, source),
                new QpAttribute.DestinationQp(reply.qpNumber()),
                new QpAttribute.SendPsn(reply.startingPsn()),
                new QpAttribute.MaxDestRdAtomic(Math.min(own.rdAtomic(), reply.initiatorDepth())),
                new QpAttribute.MaxRdAtomic(Math.min(own.rdAtomic(), reply.responderResources())),
                new QpAttribute.RetryCount(own.retryCount()),
                new QpAttribute.RnrRetry(reply.rnrRetryCount()));
    }

    private BringUp bringUp(
            QpAttribute.Mtu mtu,
            AddressVector path,
            QpAttribute.DestinationQp to,
            QpAttribute.SendPsn psn,
            QpAttribute.MaxDestRdAtomic resources,
            QpAttribute.MaxRdAtomic depth,
            QpAttribute.RetryCount retries,
            QpAttribute.RnrRetry rnrRetries) {
        QpModify toRtr = new QpModify(
                QpState.RTR,
                List.of(
                        new QpAttribute.Av(path),
                        mtu,
                        to,
                        new QpAttribute.ReceivePsn(own.receivePsn()),
                        resources,
                        new QpAttribute.MinRnrTimer(own.minRnrTimerCode())));
        QpModify toRts = new QpModify(
                QpState.RTS, List.of(new QpAttribute.Timeout(own.timeoutCode()), retries, rnrRetries, psn, depth));
        return new BringUp(toRtr, toRts);
    }

    /** The path begins at the address by which the peer knows this end, or at the first one of the peer's IP version. */
    private AddressVector pathTo(PortAddress peer, PortAddress local) {
        GlobalRoute route = GlobalRoute.to(new Gid(peer.high(), peer.low()));
        int first = port.indexOf(peer.isIpv4()).orElse(0);
        return AddressVector.to(route.withSourceGidIndex(port.indexOf(local).orElse(first)));
    }

    private static PathMtu mtu(int code) {
        for (PathMtu each : PathMtu.values()) {
            if (each.code() == code) {
                return each;
            }
        }
        throw VerbsException.invalid("the peer's path MTU has code " + code + "; 1 to 5 are allowed");
    }
}
