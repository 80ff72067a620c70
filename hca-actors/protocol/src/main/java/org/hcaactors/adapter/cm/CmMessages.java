// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.cm;

import java.nio.ByteBuffer;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.AlternatePathResponse;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.DisconnectReply;
import org.hcaactors.fabric.mad.CmMessage.DisconnectRequest;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.CmMessage.ReceiptAcknowledgment;
import org.hcaactors.fabric.mad.RejectReason;
import org.hcaactors.fabric.packet.Octets;

// rule cm-transactions
/** Messages about connections that one adapter sends. */
record CmMessages(CmTimeouts timeouts, CmDevice device) {
    /** Message that a REJ or MRA is about. */
    static final int OF_REQ = 0;

    static final int OF_REP = 1;
    static final int OF_OTHER = 2;

    // rule cm-reply
    /** What Linux sends, although it supports no failover. */
    private static final int FAILOVER_ACCEPTED = 0;

    /** Status of an APR: no alternate path is supported. */
    private static final int PATH_NOT_SUPPORTED = 2;

    CmDatagram request(int commId, long service, CmTerms terms, Octets privateData) {
        return new CmDatagram(
                ownTransaction(commId),
                new ConnectRequest(
                        commId,
                        service,
                        device.caGuid(),
                        terms.queuePair(),
                        terms.limits(),
                        timeouts.responseCode(),
                        timeouts.responseCode(),
                        timeouts.maxRetries(),
                        terms.path(),
                        CmPath.NONE,
                        privateData));
    }

    private long ownTransaction(int commId) {
        return Integer.toUnsignedLong(device.firstCommId()) << 32 | Integer.toUnsignedLong(commId);
    }

    CmDatagram reply(CmConnection to, CmTerms terms, Octets privateData) {
        return ofRequest(
                to,
                new ConnectReply(
                        to.commId,
                        to.remoteCommId,
                        terms.queuePair().qkey(),
                        terms.queuePair().number(),
                        terms.queuePair().startingPsn(),
                        terms.limits().responderResources(),
                        terms.limits().initiatorDepth(),
                        device.targetAckDelay(),
                        FAILOVER_ACCEPTED,
                        terms.limits().flowControl(),
                        terms.limits().rnrRetryCount(),
                        terms.queuePair().srq(),
                        device.caGuid(),
                        privateData));
    }

    static CmDatagram ready(CmConnection of, Octets privateData) {
        return ofRequest(of, new ReadyToUse(of.commId, of.remoteCommId, privateData));
    }

    CmDatagram askingForTime(CmConnection known, int of) {
        return ofRequest(
                known,
                new ReceiptAcknowledgment(known.commId, known.remoteCommId, of, timeouts.serviceCode(), Octets.NONE));
    }

    CmDatagram disconnection(CmConnection of, Octets privateData) {
        return new CmDatagram(
                ownTransaction(of.commId),
                new DisconnectRequest(of.commId, of.remoteCommId, of.remoteQpn(), privateData));
    }

    static CmDatagram confirmation(long transaction, DisconnectRequest request) {
        return new CmDatagram(
                transaction, new DisconnectReply(request.remoteCommId(), request.localCommId(), Octets.NONE));
    }

    static CmDatagram pathRefusal(CmConnection known, long transaction) {
        return new CmDatagram(
                transaction,
                new AlternatePathResponse(
                        known.commId, known.remoteCommId, PATH_NOT_SUPPORTED, Octets.NONE, Octets.NONE));
    }

    /** Returns a rejection that tells the peer that its answer did not arrive, so that it keeps no half of a connection. */
    CmDatagram timeoutRejection(CmConnection due, int of) {
        ByteBuffer guid = ByteBuffer.allocate(Long.BYTES).putLong(device.caGuid());
        return rejection(due, of, RejectReason.TIMEOUT.code(), Octets.copyOf(guid.array()), Octets.NONE);
    }

    static CmDatagram rejection(CmConnection made, int of, int reason, Octets information, Octets privateData) {
        // An end has no ID for a peer that it only rejects.
        int commId = of == OF_REQ && !made.told ? 0 : made.commId;
        return ofRequest(made, new ConnectReject(commId, made.remoteCommId, of, reason, information, privateData));
    }

    /** Returns the rejection of a message for which there is no connection. */
    static CmDatagram refusal(long transaction, int remoteCommId, int of, RejectReason reason) {
        return new CmDatagram(
                transaction, new ConnectReject(0, remoteCommId, of, reason.code(), Octets.NONE, Octets.NONE));
    }

    private static CmDatagram ofRequest(CmConnection of, CmMessage message) {
        return new CmDatagram(of.transactionId, message);
    }
}
