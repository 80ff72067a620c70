// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.mad;

import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.PortAddress;

/**
 * Message of communication management (rule cm-messages). Communication IDs and Q_Keys have 32 bits, QPNs and PSNs 24, service IDs
 * and transaction IDs 64. A timeout of 5 bits is a code: 4.096 us times 2 to its power.
 */
public sealed interface CmMessage {
    CmAttribute attribute();

    /** Data of the program, padded with zeros to {@link CmAttribute#privateBytes()}. */
    Octets privateData();

    /** Message between the two ends of a connection. */
    sealed interface OfConnection extends CmMessage {
        /** Communication ID of the sender; 0 in a REJ by an end that has none. */
        int localCommId();
    }

    /** Message of an end that knows the other end's ID. */
    sealed interface ToKnownPeer extends OfConnection {
        /** Communication ID of the receiver; 0 in a REJ by an end that does not know it. */
        int remoteCommId();
    }

    /** Message of a datagram service. */
    sealed interface OfService extends CmMessage {
        /** Number by which the sender of a request recognizes the reply. */
        int requestId();
    }

    /**
     * REQ: asks for a connection.
     *
     * @param caGuid GUID of the sender's adapter
     * @param limits what its queue pair offers and asks for
     * @param remoteResponseTimeout 5 bits: time in which the receiver should answer a message
     * @param localResponseTimeout 5 bits: time in which the sender answers
     * @param maxRetries 4 bits: repetitions of a CM message
     * @param alternate for path migration; {@link CmPath#NONE} if not used
     */
    record ConnectRequest(
            int localCommId,
            long serviceId,
            long caGuid,
            QueuePairOffer queuePair,
            ConnectionLimits limits,
            int remoteResponseTimeout,
            int localResponseTimeout,
            int maxRetries,
            CmPath primary,
            CmPath alternate,
            Octets privateData)
            implements OfConnection {
        public ConnectRequest {
            FieldWidth.check("remote response timeout", remoteResponseTimeout, 5);
            FieldWidth.check("local response timeout", localResponseTimeout, 5);
            FieldWidth.check("number of CM retries", maxRetries, 4);
        }

        @Override
        public CmAttribute attribute() {
            return CmAttribute.REQ;
        }
    }

    /**
     * Queue pair of the sender of a REQ.
     *
     * @param transport 2 bits: 0 RC, 1 UC, 2 RD, 3 as {@code extendedTransport}
     * @param extendedTransport 3 bits: 1 XRC
     * @param pathMtu 4 bits: code of the MTU, 1 for 256 bytes to 5 for 4096
     */
    record QueuePairOffer(
            int number,
            int qkey,
            int startingPsn,
            int transport,
            int extendedTransport,
            boolean srq,
            int pkey,
            int pathMtu) {
        public QueuePairOffer {
            FieldWidth.check("queue pair number", number, 24);
            FieldWidth.check("starting PSN", startingPsn, 24);
            FieldWidth.check("transport", transport, 2);
            FieldWidth.check("extended transport", extendedTransport, 3);
            FieldWidth.check("P_Key", pkey, 16);
            FieldWidth.check("path MTU", pathMtu, 4);
        }
    }

    /**
     * Limits of a connection in a REQ.
     *
     * @param responderResources 8 bits: READs and atomics that the sender can answer at once
     * @param initiatorDepth 8 bits: READs and atomics that the sender will have outstanding
     * @param retryCount 3 bits
     * @param rnrRetryCount 3 bits; 7 is unlimited
     */
    record ConnectionLimits(
            int responderResources, int initiatorDepth, int retryCount, int rnrRetryCount, boolean flowControl) {
        public ConnectionLimits {
            FieldWidth.check("number of responder resources", responderResources, 8);
            FieldWidth.check("initiator depth", initiatorDepth, 8);
            FieldWidth.check("retry count", retryCount, 3);
            FieldWidth.check("RNR retry count", rnrRetryCount, 3);
        }
    }

    /**
     * MRA: the sender has the message and needs more time.
     *
     * @param of the message: 0 REQ, 1 REP, 2 LAP
     * @param serviceTimeout 5 bits: time that it needs
     */
    record ReceiptAcknowledgment(int localCommId, int remoteCommId, int of, int serviceTimeout, Octets privateData)
            implements ToKnownPeer {
        public ReceiptAcknowledgment {
            FieldWidth.check("message", of, 2);
            FieldWidth.check("service timeout", serviceTimeout, 5);
        }

        @Override
        public CmAttribute attribute() {
            return CmAttribute.MRA;
        }
    }

    /**
     * REJ: refuses a connection.
     *
     * @param of the refused message: 0 REQ, 1 REP, 2 another
     * @param reason 16 bits, see {@link RejectReason}
     * @param information additional, at most 72 bytes
     */
    record ConnectReject(int localCommId, int remoteCommId, int of, int reason, Octets information, Octets privateData)
            implements ToKnownPeer {
        public ConnectReject {
            FieldWidth.check("message", of, 2);
            FieldWidth.check("reason", reason, 16);
        }

        @Override
        public CmAttribute attribute() {
            return CmAttribute.REJ;
        }
    }

    /**
     * REP: accepts a connection.
     *
     * @param targetAckDelay 5 bits
     * @param failover 2 bits: 0 accepted, 1 not supported, 2 refused
     */
    record ConnectReply(
            int localCommId,
            int remoteCommId,
            int qkey,
            int qpNumber,
            int startingPsn,
            int responderResources,
            int initiatorDepth,
            int targetAckDelay,
            int failover,
            boolean flowControl,
            int rnrRetryCount,
            boolean srq,
            long caGuid,
            Octets privateData)
            implements ToKnownPeer {
        public ConnectReply {
            FieldWidth.check("queue pair number", qpNumber, 24);
            FieldWidth.check("starting PSN", startingPsn, 24);
            FieldWidth.check("number of responder resources", responderResources, 8);
            FieldWidth.check("initiator depth", initiatorDepth, 8);
            FieldWidth.check("target ACK delay", targetAckDelay, 5);
            FieldWidth.check("failover", failover, 2);
            FieldWidth.check("RNR retry count", rnrRetryCount, 3);
        }

        @Override
        public CmAttribute attribute() {
            return CmAttribute.REP;
        }
    }

    /** RTU: the sender of the REQ has the reply and can send. */
    record ReadyToUse(int localCommId, int remoteCommId, Octets privateData) implements ToKnownPeer {
        @Override
        public CmAttribute attribute() {
            return CmAttribute.RTU;
        }
    }

    /**
     * DREQ: ends a connection.
     *
     * @param remoteQpn queue pair of the receiver
     */
    record DisconnectRequest(int localCommId, int remoteCommId, int remoteQpn, Octets privateData)
            implements ToKnownPeer {
        public DisconnectRequest {
            FieldWidth.check("queue pair number", remoteQpn, 24);
        }

        @Override
        public CmAttribute attribute() {
            return CmAttribute.DREQ;
        }
    }

    /** DREP: confirms the end of a connection. */
    record DisconnectReply(int localCommId, int remoteCommId, Octets privateData) implements ToKnownPeer {
        @Override
        public CmAttribute attribute() {
            return CmAttribute.DREP;
        }
    }

    /** SIDR_REQ: asks for the queue pair of a datagram service. */
    record ServiceRequest(int requestId, int pkey, long serviceId, Octets privateData) implements OfService {
        public ServiceRequest {
            FieldWidth.check("P_Key", pkey, 16);
        }

        @Override
        public CmAttribute attribute() {
            return CmAttribute.SIDR_REQ;
        }
    }

    /**
     * SIDR_REP: queue pair of a datagram service.
     *
     * @param status 8 bits: 0 valid, 1 no such service, 2 rejected, 3 no queue pair, 4 redirected, 5 unsupported version
     * @param information additional, at most 72 bytes
     */
    record ServiceReply(
            int requestId, int status, int qpNumber, long serviceId, int qkey, Octets information, Octets privateData)
            implements OfService {
        public ServiceReply {
            FieldWidth.check("status", status, 8);
            FieldWidth.check("queue pair number", qpNumber, 24);
        }

        @Override
        public CmAttribute attribute() {
            return CmAttribute.SIDR_REP;
        }
    }

    /** LAP: asks for an alternate path. */
    record LoadAlternatePath(
            int localCommId,
            int remoteCommId,
            int remoteQpn,
            int remoteResponseTimeout,
            CmPath alternate,
            Octets privateData)
            implements ToKnownPeer {
        public LoadAlternatePath {
            FieldWidth.check("queue pair number", remoteQpn, 24);
            FieldWidth.check("response timeout", remoteResponseTimeout, 5);
        }

        @Override
        public CmAttribute attribute() {
            return CmAttribute.LAP;
        }
    }

    /**
     * APR: answers a LAP.
     *
     * @param status 8 bits: 0 loaded, 1 invalid communication ID, 2 not supported, 3 rejected, 4 and more: fields of the path
     * @param information additional, at most 72 bytes
     */
    record AlternatePathResponse(int localCommId, int remoteCommId, int status, Octets information, Octets privateData)
            implements ToKnownPeer {
        public AlternatePathResponse {
            FieldWidth.check("status", status, 8);
        }

        @Override
        public CmAttribute attribute() {
            return CmAttribute.APR;
        }
    }

    /**
     * A path between two ports.
     *
     * @param localLid 16 bits; RoCE has no LIDs, and Linux sends 0xFFFF
     * @param flowLabel 20 bits
     * @param rate 6 bits: code of the rate
     * @param trafficClass 8 bits
     * @param hopLimit 8 bits
     * @param serviceLevel 4 bits
     * @param ackTimeout 5 bits: local ACK timeout of the queue pairs
     */
    record CmPath(
            int localLid,
            int remoteLid,
            PortAddress local,
            PortAddress remote,
            int flowLabel,
            int rate,
            int trafficClass,
            int hopLimit,
            int serviceLevel,
            boolean subnetLocal,
            int ackTimeout) {
        public CmPath {
            FieldWidth.check("LID", localLid, 16);
            FieldWidth.check("LID", remoteLid, 16);
            FieldWidth.check("flow label", flowLabel, 20);
            FieldWidth.check("rate", rate, 6);
            FieldWidth.check("traffic class", trafficClass, 8);
            FieldWidth.check("hop limit", hopLimit, 8);
            FieldWidth.check("service level", serviceLevel, 4);
            FieldWidth.check("local ACK timeout", ackTimeout, 5);
        }

        /** No alternate path. */
        public static final CmPath NONE = new CmPath(
                0, 0, PortAddress.unspecified(false), PortAddress.unspecified(false), 0, 0, 0, 0, 0, false, 0);
    }
}
