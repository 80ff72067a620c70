// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.LinkedHashMap;
import java.util.Map;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.AlternatePathResponse;
import org.hcaactors.fabric.mad.CmMessage.ConnectReject;
import org.hcaactors.fabric.mad.CmMessage.ConnectReply;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.DisconnectReply;
import org.hcaactors.fabric.mad.CmMessage.DisconnectRequest;
import org.hcaactors.fabric.mad.CmMessage.LoadAlternatePath;
import org.hcaactors.fabric.mad.CmMessage.ReadyToUse;
import org.hcaactors.fabric.mad.CmMessage.ReceiptAcknowledgment;
import org.hcaactors.fabric.mad.CmMessage.ServiceReply;
import org.hcaactors.fabric.mad.CmMessage.ServiceRequest;
import org.hcaactors.fabric.packet.Octets;

/** Messages with other IDs, and their fields by name. */
final class CmIds {
    private CmIds() {}

    /** Returns the ID of the sender. */
    static int local(CmMessage message) {
        return switch (message) {
            case CmMessage.OfConnection connection -> connection.localCommId();
            case CmMessage.OfService service -> service.requestId();
        };
    }

    static CmMessage withRemote(CmMessage.ToKnownPeer message, int remote) {
        int local = message.localCommId();
        return switch (message) {
            case ReceiptAcknowledgment m ->
                new ReceiptAcknowledgment(local, remote, m.of(), m.serviceTimeout(), m.privateData());
            case ConnectReject m ->
                new ConnectReject(local, remote, m.of(), m.reason(), m.information(), m.privateData());
            case ConnectReply m ->
                new ConnectReply(
                        local,
                        remote,
                        m.qkey(),
                        m.qpNumber(),
                        m.startingPsn(),
                        m.responderResources(),
                        m.initiatorDepth(),
                        m.targetAckDelay(),
                        m.failover(),
                        m.flowControl(),
                        m.rnrRetryCount(),
                        m.srq(),
                        m.caGuid(),
                        m.privateData());
            case ReadyToUse m -> new ReadyToUse(local, remote, m.privateData());
            case DisconnectRequest m -> new DisconnectRequest(local, remote, m.remoteQpn(), m.privateData());
            case DisconnectReply m -> new DisconnectReply(local, remote, m.privateData());
            case LoadAlternatePath m ->
                new LoadAlternatePath(
                        local, remote, m.remoteQpn(), m.remoteResponseTimeout(), m.alternate(), m.privateData());
            case AlternatePathResponse m ->
                new AlternatePathResponse(local, remote, m.status(), m.information(), m.privateData());
        };
    }

    /** Returns the fields with their names, without the ID of the sender. */
    static Map<String, Object> fields(CmMessage message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (message instanceof CmMessage.ToKnownPeer known) {
            fields.put("the receiver's ID", known.remoteCommId());
        }
        switch (message) {
            case ConnectRequest m -> ofRequest(m, fields);
            case ReceiptAcknowledgment m -> {
                fields.put("message", m.of());
                fields.put("service timeout", m.serviceTimeout());
            }
            case ConnectReject m -> {
                fields.put("message", m.of());
                fields.put("reason", m.reason());
                fields.put("information", m.information());
            }
            case ConnectReply m -> ofReply(m, fields);
            case DisconnectRequest m -> fields.put("remote queue pair", m.remoteQpn());
            case ReadyToUse m -> {}
            case DisconnectReply m -> {}
            case LoadAlternatePath m -> {
                fields.put("remote queue pair", m.remoteQpn());
                fields.put("remote response timeout", m.remoteResponseTimeout());
                fields.put("alternate path", m.alternate());
            }
            case AlternatePathResponse m -> {
                fields.put("status", m.status());
                fields.put("information", m.information());
            }
            case ServiceRequest m -> {
                fields.put("P_Key", m.pkey());
                fields.put("service ID", m.serviceId());
            }
            case ServiceReply m -> {
                fields.put("status", m.status());
                fields.put("queue pair", m.qpNumber());
                fields.put("service ID", m.serviceId());
                fields.put("Q_Key", m.qkey());
                fields.put("information", m.information());
            }
        }
        fields.put("private data", padded(message));
        return fields;
    }

    private static void ofRequest(ConnectRequest m, Map<String, Object> fields) {
        fields.put("service ID", m.serviceId());
        fields.put("GUID", m.caGuid());
        fields.put("queue pair", m.queuePair());
        fields.put("limits", m.limits());
        fields.put("remote response timeout", m.remoteResponseTimeout());
        fields.put("local response timeout", m.localResponseTimeout());
        fields.put("retries", m.maxRetries());
        fields.put("primary path", m.primary());
        fields.put("alternate path", m.alternate());
    }

    private static void ofReply(ConnectReply m, Map<String, Object> fields) {
        fields.put("Q_Key", m.qkey());
        fields.put("queue pair", m.qpNumber());
        fields.put("starting PSN", m.startingPsn());
        fields.put("responder resources", m.responderResources());
        fields.put("initiator depth", m.initiatorDepth());
        fields.put("target ACK delay", m.targetAckDelay());
        fields.put("failover", m.failover());
        fields.put("flow control", m.flowControl());
        fields.put("RNR retries", m.rnrRetryCount());
        fields.put("SRQ", m.srq());
        fields.put("GUID", m.caGuid());
    }

    /** Private data of an agent are not padded yet. */
    private static Octets padded(CmMessage message) {
        byte[] bytes = new byte[message.attribute().privateBytes()];
        message.privateData().copyTo(bytes, 0);
        return Octets.wrap(bytes, 0, bytes.length);
    }
}
