// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.flow;

import java.util.Optional;
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
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Octets;

/** IP addresses in messages of communication management. */
public final class CmPayload {
    private CmPayload() {}

    // rules cm-ip-service, cm-ip-addresses
    /** Returns the IP addresses at the start of the private data; empty if the message has none. */
    public static Optional<IpService> addresses(CmMessage message) {
        return switch (message) {
            case ConnectRequest m -> addresses(m.serviceId(), m.privateData());
            case ServiceRequest m -> addresses(m.serviceId(), m.privateData());
            case ReceiptAcknowledgment m -> Optional.empty();
            case ConnectReject m -> Optional.empty();
            case ConnectReply m -> Optional.empty();
            case ReadyToUse m -> Optional.empty();
            case DisconnectRequest m -> Optional.empty();
            case DisconnectReply m -> Optional.empty();
            case ServiceReply m -> Optional.empty();
            case LoadAlternatePath m -> Optional.empty();
            case AlternatePathResponse m -> Optional.empty();
        };
    }

    private static Optional<IpService> addresses(long service, Octets privateData) {
        return IpService.isIp(service) ? IpService.read(privateData) : Optional.empty();
    }
}
