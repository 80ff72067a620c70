// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.conform;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.hcaactors.api.address.PathMtu;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * One direction of a conversation at one interface: the requests to one queue pair, and the responses.
 *
 * @param requesterQp destination of the responses; 0 if there are none
 * @param packets requests and responses, in order
 * @param requests of these, in order
 * @param answers responses of these, in order
 * @param mtu the smallest one that fits every payload
 * @param unknown packets that the machines do not receive
 */
record PacketDirection(
        TransportClass transport,
        PortAddress requester,
        int requesterQp,
        PortAddress responder,
        int responderQp,
        List<CapturedPacket> packets,
        List<CapturedPacket> requests,
        List<CapturedPacket> answers,
        PathMtu mtu,
        UnknownNumbers unknown) {

    /** Returns the type of both queue pairs. */
    QpType type() {
        return switch (transport) {
            case RC -> QpType.RC;
            case UC -> QpType.UC;
            case UD -> QpType.UD;
            case XRC, DC, CNP -> throw new IllegalStateException(transport + " is not compared");
        };
    }

    static PacketDirection of(
            TransportClass transport,
            PortAddress requester,
            int requesterQp,
            PortAddress responder,
            int responderQp,
            List<CapturedPacket> requests,
            List<CapturedPacket> answers,
            List<SkippedPacket> skipped) {
        UnknownNumbers unknown = transport == TransportClass.UD
                ? UnknownNumbers.ofDatagrams(skipped)
                : UnknownNumbers.of(skipped, requests);
        List<CapturedPacket> knownRequests = List.copyOf(unknown.without(requests));
        List<CapturedPacket> knownAnswers = List.copyOf(unknown.without(answers));
        List<CapturedPacket> both = new ArrayList<>(knownRequests);
        both.addAll(knownAnswers);
        both.sort(Comparator.comparingInt(CapturedPacket::frame));
        return new PacketDirection(
                transport,
                requester,
                requesterQp,
                responder,
                responderQp,
                List.copyOf(both),
                knownRequests,
                knownAnswers,
                PayloadLengths.of(both, skipped).mtu(),
                unknown);
    }

    @Override
    public String toString() {
        return transport + " " + requester + " to " + responder + " qp " + responderQp;
    }
}
