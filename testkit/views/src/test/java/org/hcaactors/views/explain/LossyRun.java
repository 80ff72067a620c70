// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.explain;

import java.util.ArrayList;
import java.util.List;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;

/** Events of adapter a, which sends to b, of which packets are lost or ignored. */
final class LossyRun {
    private static final Element FROM = Element.queuePair(17);
    private static final Element TO = Element.queuePair(18);

    private final List<TraceEvent> events = new ArrayList<>();

    List<TraceEvent> events() {
        return events;
    }

    private Stamp stamp(long cause, long otherCause) {
        long id = events.size() + 1L;
        return new Stamp(id, 1_000 * id, cause, otherCause);
    }

    private long last() {
        return events.size();
    }

    private static Packet packet(Opcode opcode, int psn) {
        Route route = new Route(PortAddress.ofIpv4(0x0A000001), PortAddress.ofIpv4(0x0A000002), 0, 64, 0, 1);
        Bth bth = Bth.of(opcode, false, true, 4, Bth.DEFAULT_PKEY, TO.number(), false, psn);
        List<ExtendedHeader> extended =
                opcode == Opcode.UD_SEND_ONLY ? List.of(new ExtendedHeader.Deth(5, 0, FROM.number())) : List.of();
        return new Packet(route, bth, extended, Octets.copyOf(new byte[4]));
    }

    /** Posts a request; returns the id of the posting. */
    long posts(long workId) {
        events.add(new HcaEvent.WorkPosted(stamp(0, 0), "a", FROM, Send.of(workId), true));
        return last();
    }

    /** A packet that is lost. */
    void loses(long posting, int psn, String reason) {
        Packet packet = packet(Opcode.RC_SEND_ONLY, psn);
        events.add(new FabricEvent.Sent(stamp(posting, 0), "a", FROM, packet));
        events.add(new FabricEvent.Dropped(stamp(last(), 0), "a", packet, reason));
    }

    /** The same packet, sent again, arrives. */
    void repeats(long posting, int psn) {
        Packet packet = packet(Opcode.RC_SEND_ONLY, psn);
        events.add(new FabricEvent.Sent(stamp(posting, last()), "a", FROM, packet));
        events.add(new FabricEvent.Delivered(stamp(last(), 0), "b", packet));
    }

    void ignores(Opcode opcode, int psn, Reason reason) {
        Packet packet = packet(opcode, psn);
        events.add(new FabricEvent.Sent(stamp(0, 0), "a", FROM, packet));
        events.add(new FabricEvent.Delivered(stamp(last(), 0), "b", packet));
        events.add(new HcaEvent.Discarded(stamp(last(), 0), "b", TO, packet, reason));
    }
}
