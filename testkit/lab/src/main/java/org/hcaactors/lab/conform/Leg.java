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
 * One direction of a conversation: the requests to one queue pair, and its answers, as one interface saw them.
 *
 * @param requesterQp where the answers go; 0 if there are none
 * @param packets both, in order
 */
record Leg(
        TransportClass transport,
        PortAddress requester,
        int requesterQp,
        PortAddress responder,
        int responderQp,
        List<Heard> packets) {

    /** What both of its ends are. */
    QpType type() {
        return switch (transport) {
            case RC -> QpType.RC;
            case UC -> QpType.UC;
            case UD -> QpType.UD;
            case XRC, DC, CNP -> throw new IllegalStateException(transport + " is not judged");
        };
    }

    static Leg of(
            TransportClass transport,
            PortAddress requester,
            int requesterQp,
            PortAddress responder,
            int responderQp,
            List<Heard> requests,
            List<Heard> answers) {
        List<Heard> both = new ArrayList<>(requests);
        both.addAll(answers);
        both.sort(Comparator.comparingInt(Heard::frame));
        return new Leg(transport, requester, requesterQp, responder, responderQp, List.copyOf(both));
    }

    List<Heard> requests() {
        return packets.stream().filter(heard -> !heard.isResponse()).toList();
    }

    List<Heard> answers() {
        return packets.stream().filter(Heard::isResponse).toList();
    }

    /** The smallest into which every payload fits, since all but the last packet of a message are full; 1024 at least. */
    PathMtu mtu() {
        return mtu(packets);
    }

    static PathMtu mtu(List<Heard> packets) {
        int most = packets.stream()
                .filter(Heard::isIntact)
                .mapToInt(heard -> heard.packet().payload().length())
                .max()
                .orElse(0);
        int full = packets.stream()
                .filter(heard -> heard.isIntact() && !heard.operation().ends())
                .mapToInt(heard -> heard.packet().payload().length())
                .max()
                .orElse(PathMtu.BYTES_1024.bytes());
        int bytes = Math.max(most, full);
        for (PathMtu mtu : PathMtu.values()) {
            if (mtu.bytes() >= bytes) {
                return mtu;
            }
        }
        return PathMtu.BYTES_4096;
    }

    @Override
    public String toString() {
        return transport + " " + requester + " to " + responder + " qp " + responderQp;
    }
}
