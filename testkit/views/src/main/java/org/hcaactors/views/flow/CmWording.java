// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.Optional;
import java.util.function.LongFunction;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.AlternatePathResponse;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.DisconnectReply;
import org.hcaactors.fabric.mad.CmMessage.DisconnectRequest;
import org.hcaactors.fabric.mad.CmMessage.LoadAlternatePath;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.CmMessage.ReceiptAcknowledgment;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.CmMessage.ServiceRequest;
import org.hcaactors.fabric.mad.CmMessage.ToKnownPeer;
import org.hcaactors.fabric.packet.Packet;

// rule cm-messages
/** Descriptions of messages of communication management. */
public final class CmWording {
    private static final String RC = "RC";
    private static final int NO_KNOWN_MESSAGE = 2;

    private CmWording() {}

    /**
     * Returns {@code REQ to TCP port 7174, qp40 psn 12714235}: short enough for an arrow; empty if the packet carries no message.
     */
    public static Optional<String> of(Packet packet) {
        return CmCodec.decode(packet).map(datagram -> what(datagram.message(), CmCodes::service));
    }

    /**
     * Returns {@code REQ to TCP port 7174 (service 0x0000000001061c06), qp40 psn 12714235, comm id 0xf934036a}: with all that
     * identifies the connection; empty if the packet carries no message.
     */
    public static Optional<String> inFull(Packet packet) {
        return CmCodec.decode(packet)
                .map(datagram -> what(datagram.message(), CmCodes::serviceWithId) + ids(datagram.message()));
    }

    private static String what(CmMessage message, LongFunction<String> service) {
        return switch (message) {
            case ConnectRequest m -> "REQ to " + service.apply(m.serviceId()) + ", " + of(m.queuePair());
            case ReceiptAcknowledgment m ->
                "MRA of %s: the answer takes up to %s"
                        .formatted(CmCodes.received(m.of()), CmCodes.time(m.serviceTimeout()));
            case ConnectReject m -> "REJ" + refused(m.of()) + ": " + withCode(CmCodes.reason(m.reason()), m.reason());
            case ConnectReply m -> "REP qp%d psn %d".formatted(m.qpNumber(), m.startingPsn());
            case ReadyToUse m -> "RTU";
            case DisconnectRequest m -> "DREQ for qp" + m.remoteQpn();
            case DisconnectReply m -> "DREP";
            case ServiceRequest m -> "SIDR_REQ to " + service.apply(m.serviceId());
            case ServiceReply m ->
                m.status() == 0
                        ? "SIDR_REP qp%d qkey 0x%08x".formatted(m.qpNumber(), m.qkey())
                        : "SIDR_REP: " + withCode(CmCodes.serviceStatus(m.status()), m.status());
            case LoadAlternatePath m ->
                "LAP for qp%d: path %s > %s"
                        .formatted(
                                m.remoteQpn(),
                                m.alternate().local(),
                                m.alternate().remote());
            case AlternatePathResponse m -> "APR: " + withCode(CmCodes.pathStatus(m.status()), m.status());
        };
    }

    /** Returns {@code qp40 psn 12714235}, or {@code UC qp40 psn 12714235}. */
    private static String of(QueuePairOffer offer) {
        String transport = CmCodes.transport(offer.transport(), offer.extendedTransport());
        return "%sqp%d psn %d"
                .formatted(transport.equals(RC) ? "" : transport + " ", offer.number(), offer.startingPsn());
    }

    private static String refused(int of) {
        return of >= NO_KNOWN_MESSAGE ? "" : " of " + CmCodes.refused(of);
    }

    private static String withCode(String text, int code) {
        return text + " (" + code + ")";
    }

    private static String ids(CmMessage message) {
        return switch (message) {
            case ConnectRequest m -> ", comm id 0x%08x".formatted(m.localCommId());
            case ToKnownPeer m ->
                m.localCommId() == 0
                        ? ", to comm id 0x%08x".formatted(m.remoteCommId())
                        : ", comm id 0x%08x to 0x%08x".formatted(m.localCommId(), m.remoteCommId());
            case ServiceRequest m -> ", request id 0x%08x".formatted(m.requestId());
            case ServiceReply m -> ", request id 0x%08x".formatted(m.requestId());
        };
    }
}
