// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.scenario;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.mad.CmCodec;
import org.hcaactors.fabric.mad.CmDatagram;
import org.hcaactors.fabric.mad.CmMessage.ConnectRequest;
import org.hcaactors.fabric.mad.IpService;
import org.hcaactors.fabric.packet.Octets;

/** Connections of a run, by the name that their requests carry. */
final class RequestedConnections {
    private RequestedConnections() {}

    /** Returns the newest step at the end that asked for the connection. */
    static Optional<HcaEvent.ConnectionChanged> newest(List<TraceEvent> events, String name) {
        return events.stream()
                .filter(FabricEvent.Sent.class::isInstance)
                .map(FabricEvent.Sent.class::cast)
                .flatMap(sent ->
                        request(sent, name)
                                .flatMap(request -> newest(events, sent.port(), request.localCommId()))
                                .stream())
                .findFirst();
    }

    private static Optional<ConnectRequest> request(FabricEvent.Sent sent, String name) {
        return CmCodec.decode(sent.packet())
                .map(CmDatagram::message)
                .filter(ConnectRequest.class::isInstance)
                .map(ConnectRequest.class::cast)
                .filter(request -> name(request.privateData()).equals(name));
    }

    // rule cm-ip-addresses
    private static String name(Octets data) {
        byte[] bytes = data.toArray();
        return new String(bytes, IpService.BYTES, bytes.length - IpService.BYTES, StandardCharsets.UTF_8)
                .replace("\0", "");
    }

    private static Optional<HcaEvent.ConnectionChanged> newest(List<TraceEvent> events, String adapter, int commId) {
        return events.stream()
                .filter(HcaEvent.ConnectionChanged.class::isInstance)
                .map(HcaEvent.ConnectionChanged.class::cast)
                .filter(event -> event.port().equals(adapter) && event.commId() == commId)
                .reduce((older, newer) -> newer);
    }
}
