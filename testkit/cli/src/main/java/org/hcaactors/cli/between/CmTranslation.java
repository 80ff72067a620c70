// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.cli.between;

import java.util.Optional;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage;
import org.hcaactors.fabric.mad.CmMessage.CmPath;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.CmMessage.LoadAlternatePath;
import org.hcaactors.fabric.mad.CmMessage.ServiceRequest;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/**
 * Addresses in messages of communication management: GIDs of the paths, and those of IP in the private data of requests for an IP
 * port. Other messages have none, except for redirections, which stay.
 */
record CmTranslation(Translation addresses) {
    /** Returns the packet with the addresses for the other host; one without a message with addresses is returned as it is. */
    Packet of(Packet packet) {
        Optional<CmDatagram> datagram = CmCodec.decode(packet);
        return datagram.map(each -> of(each, packet)).orElse(packet);
    }

    private Packet of(CmDatagram datagram, Packet packet) {
        CmMessage message = of(datagram.message());
        return message.equals(datagram.message())
                ? packet
                : packet.withPayload(CmCodec.encode(new CmDatagram(datagram.transactionId(), message)));
    }

    private CmMessage of(CmMessage message) {
        return switch (message) {
            case ConnectRequest m ->
                new ConnectRequest(
                        m.localCommId(),
                        m.serviceId(),
                        m.caGuid(),
                        m.queuePair(),
                        m.limits(),
                        m.remoteResponseTimeout(),
                        m.localResponseTimeout(),
                        m.maxRetries(),
                        of(m.primary()),
                        of(m.alternate()),
                        of(m.serviceId(), m.privateData()));
            case ServiceRequest m ->
                new ServiceRequest(m.requestId(), m.pkey(), m.serviceId(), of(m.serviceId(), m.privateData()));
            case LoadAlternatePath m ->
                new LoadAlternatePath(
                        m.localCommId(),
                        m.remoteCommId(),
                        m.remoteQpn(),
                        m.remoteResponseTimeout(),
                        of(m.alternate()),
                        m.privateData());
            default -> message;
        };
    }

    private CmPath of(CmPath path) {
        return new CmPath(
                path.localLid(),
                path.remoteLid(),
                addresses.of(path.local()),
                addresses.of(path.remote()),
                path.flowLabel(),
                path.rate(),
                path.trafficClass(),
                path.hopLimit(),
                path.serviceLevel(),
                path.subnetLocal(),
                path.ackTimeout());
    }

    private Octets of(long serviceId, Octets privateData) {
        Optional<IpService> service = IpService.isIp(serviceId) ? IpService.read(privateData) : Optional.empty();
        return service.map(known -> new IpService(
                                known.sourcePort(), addresses.of(known.source()), addresses.of(known.destination()))
                        .with(privateData.slice(IpService.BYTES, privateData.length() - IpService.BYTES)))
                .orElse(privateData);
    }
}
