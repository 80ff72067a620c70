// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.report;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.AlternatePathResponse;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
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
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.views.flow.CmCodes;

/**
 * A code in a message of communication management, and its meaning.
 *
 * @param field title of its block and name of the field: {@code REJ.reason}
 */
record CmCode(String field, long value, String words) {
    /** Returns the codes of a message. */
    static List<CmCode> of(CmMessage message) {
        return switch (message) {
            case ConnectRequest m -> of(m);
            case ReceiptAcknowledgment m ->
                List.of(
                        new CmCode("MRA.message", m.of(), CmCodes.received(m.of())),
                        time("MRA.service timeout", m.serviceTimeout()));
            case ConnectReject m ->
                List.of(
                        new CmCode("REJ.message", m.of(), CmCodes.refused(m.of())),
                        new CmCode("REJ.reason", m.reason(), CmCodes.reason(m.reason())));
            case ConnectReply m ->
                List.of(
                        time("REP.target ACK delay", m.targetAckDelay()),
                        new CmCode("REP.failover", m.failover(), CmCodes.failover(m.failover())));
            case ReadyToUse m -> List.of();
            case DisconnectRequest m -> List.of();
            case DisconnectReply m -> List.of();
            case ServiceRequest m -> service("SIDR_REQ.service ID", m.serviceId());
            case ServiceReply m -> of(m);
            case LoadAlternatePath m ->
                List.of(
                        time("LAP.remote response timeout", m.remoteResponseTimeout()),
                        time("alternate path.ACK timeout", m.alternate().ackTimeout()));
            case AlternatePathResponse m ->
                List.of(new CmCode("APR.status", m.status(), CmCodes.pathStatus(m.status())));
        };
    }

    private static List<CmCode> of(ConnectRequest m) {
        QueuePairOffer offer = m.queuePair();
        String transport = CmCodes.transport(offer.transport(), offer.extendedTransport());
        List<CmCode> codes = new ArrayList<>(service("REQ.service ID", m.serviceId()));
        codes.add(new CmCode("REQ.transport", offer.transport(), transport));
        codes.add(new CmCode("REQ.path MTU", offer.pathMtu(), CmCodes.mtu(offer.pathMtu())));
        codes.add(time("REQ.remote response timeout", m.remoteResponseTimeout()));
        codes.add(time("REQ.local response timeout", m.localResponseTimeout()));
        codes.add(time("primary path.ACK timeout", m.primary().ackTimeout()));
        if (!m.alternate().equals(CmPath.NONE)) {
            codes.add(time("alternate path.ACK timeout", m.alternate().ackTimeout()));
        }
        return codes;
    }

    private static List<CmCode> of(ServiceReply m) {
        List<CmCode> codes = new ArrayList<>(service("SIDR_REP.service ID", m.serviceId()));
        codes.add(new CmCode("SIDR_REP.status", m.status(), CmCodes.serviceStatus(m.status())));
        return codes;
    }

    private static List<CmCode> service(String field, long serviceId) {
        return IpService.isIp(serviceId)
                ? List.of(new CmCode(field, serviceId, CmCodes.service(serviceId)))
                : List.of();
    }

    private static CmCode time(String field, int code) {
        return new CmCode(field, code, CmCodes.time(code));
    }
}
