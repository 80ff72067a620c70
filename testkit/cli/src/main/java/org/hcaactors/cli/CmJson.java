// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.AlternatePathResponse;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.ConnectionLimits;
import org.hcaactors.fabric.mad.CmMessage.DisconnectReply;
import org.hcaactors.fabric.mad.CmMessage.DisconnectRequest;
import org.hcaactors.fabric.mad.CmMessage.LoadAlternatePath;
import org.hcaactors.fabric.mad.CmMessage.QueuePairOffer;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.CmMessage.ReceiptAcknowledgment;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.CmMessage.ServiceRequest;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.views.flow.CmCodes;
import org.hcaactors.views.flow.CmPayload;

// rules cm-messages, cm-reject-reasons, cm-ip-service, cm-ip-addresses
/** A datagram of communication management as one JSON object. */
final class CmJson {
    private CmJson() {}

    static ObjectNode of(CmDatagram datagram) {
        CmMessage message = datagram.message();
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("message", message.attribute().name())
                .put("attributeId", message.attribute().id())
                .put("transactionId", hex(datagram.transactionId()));
        fields(json, message);
        CmPayload.addresses(message).ifPresent(addresses -> ip(json, addresses));
        return json.put("privateData", hex(message.privateData()));
    }

    private static void fields(ObjectNode json, CmMessage message) {
        switch (message) {
            case ConnectRequest m -> request(json, m);
            case ReceiptAcknowledgment m -> {
                ids(json, m);
                coded(json, "of", m.of(), CmCodes.received(m.of()));
                json.put("serviceTimeout", m.serviceTimeout());
            }
            case ConnectReject m -> {
                ids(json, m);
                coded(json, "of", m.of(), CmCodes.refused(m.of()));
                coded(json, "reason", m.reason(), CmCodes.reason(m.reason()));
                json.put("information", hex(m.information()));
            }
            case ConnectReply m -> reply(json, m);
            case ReadyToUse m -> ids(json, m);
            case DisconnectRequest m -> ids(json, m).put("remoteQpn", m.remoteQpn());
            case DisconnectReply m -> ids(json, m);
            case ServiceRequest m -> {
                json.put("requestId", Integer.toUnsignedLong(m.requestId())).put("pkey", m.pkey());
                service(json, m.serviceId());
            }
            case ServiceReply m -> serviceReply(json, m);
            case LoadAlternatePath m -> {
                ids(json, m).put("remoteQpn", m.remoteQpn()).put("remoteResponseTimeout", m.remoteResponseTimeout());
                path(json.putObject("alternate"), m.alternate());
            }
            case AlternatePathResponse m -> {
                ids(json, m);
                coded(json, "status", m.status(), CmCodes.pathStatus(m.status()));
                json.put("information", hex(m.information()));
            }
        }
    }

    private static void request(ObjectNode json, ConnectRequest m) {
        json.put("localCommId", Integer.toUnsignedLong(m.localCommId()));
        service(json, m.serviceId());
        json.put("caGuid", hex(m.caGuid()));
        queuePair(json.putObject("queuePair"), m.queuePair());
        limits(json.putObject("limits"), m.limits());
        json.put("remoteResponseTimeout", m.remoteResponseTimeout())
                .put("localResponseTimeout", m.localResponseTimeout())
                .put("maxRetries", m.maxRetries());
        path(json.putObject("primary"), m.primary());
        path(json.putObject("alternate"), m.alternate());
    }

    private static void queuePair(ObjectNode json, QueuePairOffer offer) {
        json.put("number", offer.number())
                .put("qkey", Integer.toUnsignedLong(offer.qkey()))
                .put("startingPsn", offer.startingPsn());
        coded(json, "transport", offer.transport(), CmCodes.transport(offer.transport(), offer.extendedTransport()));
        json.put("extendedTransport", offer.extendedTransport())
                .put("srq", bit(offer.srq()))
                .put("pkey", offer.pkey());
        coded(json, "pathMtu", offer.pathMtu(), CmCodes.mtu(offer.pathMtu()));
    }

    private static void limits(ObjectNode json, ConnectionLimits limits) {
        json.put("responderResources", limits.responderResources())
                .put("initiatorDepth", limits.initiatorDepth())
                .put("retryCount", limits.retryCount())
                .put("rnrRetryCount", limits.rnrRetryCount())
                .put("flowControl", bit(limits.flowControl()));
    }

    private static void reply(ObjectNode json, ConnectReply m) {
        ids(json, m)
                .put("qkey", Integer.toUnsignedLong(m.qkey()))
                .put("qpNumber", m.qpNumber())
                .put("startingPsn", m.startingPsn())
                .put("responderResources", m.responderResources())
                .put("initiatorDepth", m.initiatorDepth())
                .put("targetAckDelay", m.targetAckDelay());
        coded(json, "failover", m.failover(), CmCodes.failover(m.failover()));
        json.put("flowControl", bit(m.flowControl()))
                .put("rnrRetryCount", m.rnrRetryCount())
                .put("srq", bit(m.srq()))
                .put("caGuid", hex(m.caGuid()));
    }

    private static void serviceReply(ObjectNode json, ServiceReply m) {
        json.put("requestId", Integer.toUnsignedLong(m.requestId()));
        coded(json, "status", m.status(), CmCodes.serviceStatus(m.status()));
        json.put("qpNumber", m.qpNumber());
        service(json, m.serviceId());
        json.put("qkey", Integer.toUnsignedLong(m.qkey())).put("information", hex(m.information()));
    }

    private static void path(ObjectNode json, CmPath path) {
        json.put("localLid", path.localLid())
                .put("remoteLid", path.remoteLid())
                .put("local", path.local().toString())
                .put("remote", path.remote().toString())
                .put("flowLabel", path.flowLabel())
                .put("rate", path.rate())
                .put("trafficClass", path.trafficClass())
                .put("hopLimit", path.hopLimit())
                .put("serviceLevel", path.serviceLevel())
                .put("subnetLocal", bit(path.subnetLocal()))
                .put("ackTimeout", path.ackTimeout());
    }

    private static ObjectNode ids(ObjectNode json, CmMessage.ToKnownPeer message) {
        return json.put("localCommId", Integer.toUnsignedLong(message.localCommId()))
                .put("remoteCommId", Integer.toUnsignedLong(message.remoteCommId()));
    }

    /** Puts the ID, and port space and port if it is that of an IP port. */
    private static void service(ObjectNode json, long serviceId) {
        json.put("serviceId", hex(serviceId));
        if (IpService.isIp(serviceId)) {
            json.putObject("service").put("space", CmCodes.space(serviceId)).put("port", IpService.port(serviceId));
        }
    }

    private static void ip(ObjectNode json, IpService addresses) {
        json.putObject("ip")
                .put("sourcePort", addresses.sourcePort())
                .put("source", addresses.source().toString())
                .put("destination", addresses.destination().toString());
    }

    private static void coded(ObjectNode json, String name, int code, String text) {
        json.putObject(name).put("code", code).put("text", text);
    }

    private static String hex(long value) {
        return "0x%016x".formatted(value);
    }

    private static String hex(Octets bytes) {
        return HexFormat.of().formatHex(bytes.toArray());
    }

    private static int bit(boolean flag) {
        return flag ? 1 : 0;
    }
}
