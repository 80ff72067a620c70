// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.views.rlog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Bth;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.PortAddress;
import org.hcaactors.fabric.packet.Route;
import org.hcaactors.fabric.wire.FrameEncoder;

/** The recorded run of a node with one adapter; node n has the address 10.0.0.n. Nodes 1 and 2 exchange packets. */
final class NodeEvents {
    private static final String BORDER = "cluster";
    /** Behind Ethernet, IPv4, UDP and BTH. */
    private static final int PAYLOAD_AT = 54;

    private final List<TraceEvent> events = new ArrayList<>();
    private final String port;
    private final int node;
    private final long start;

    /** @param start what the node's clock shows at time 0 */
    NodeEvents(String port, int node, long start) {
        this.port = port;
        this.node = node;
        this.start = start;
    }

    private Stamp stamp(long nanos, boolean follows) {
        long id = events.size() + 1L;
        return new Stamp(id, start + nanos, follows ? id - 1 : 0, 0);
    }

    private static Packet packet(int from, int to, int psn) {
        Route route =
                new Route(PortAddress.ofIpv4(0x0A000000 | from), PortAddress.ofIpv4(0x0A000000 | to), 0, 64, 0, 1);
        Bth bth = Bth.of(Opcode.RC_SEND_ONLY, false, true, 4, Bth.DEFAULT_PKEY, 0x11, false, psn);
        return new Packet(route, bth, List.of(), Octets.copyOf(new byte[4]));
    }

    /** A packet to the other node leaves. */
    void leaves(long nanos, int psn) {
        leavesFor(3 - node, nanos, psn);
    }

    void leavesFor(int other, long nanos, int psn) {
        Packet packet = packet(node, other, psn);
        events.add(new FabricEvent.Sent(stamp(nanos, false), port, Element.queuePair(9), packet));
        events.add(new FabricEvent.Delivered(stamp(nanos, true), BORDER, packet));
    }

    void lost(long nanos, int psn, String reason) {
        leavesFor(9, nanos, psn);
        FabricEvent.Delivered left = (FabricEvent.Delivered) events.getLast();
        events.add(new FabricEvent.Dropped(stamp(nanos, true), BORDER, left.packet(), reason));
    }

    /** A packet to the other node leaves with a wrong ICRC. */
    void leavesDamaged(long nanos, int psn) {
        Packet packet = packet(node, 3 - node, psn);
        byte[] frame = FrameEncoder.encode(packet);
        frame[PAYLOAD_AT]++;
        events.add(new FabricEvent.Sent(stamp(nanos, false), port, Element.queuePair(9), packet));
        events.add(new FabricEvent.Corrupted(
                stamp(nanos, true),
                BORDER,
                packet,
                Octets.copyOf(frame),
                "byte 54 flipped by a fault",
                Optional.of("a fault")));
    }

    /** A packet of the other node enters with a wrong ICRC; of the packet, the adapter knows what the frame says. */
    void entersDamaged(long nanos, int psn) {
        Packet whole = packet(3 - node, node, psn);
        byte[] payload = whole.payload().toArray();
        payload[0]++;
        Packet packet = new Packet(whole.route(), whole.bth(), whole.extended(), Octets.copyOf(payload));
        Octets frame = Octets.copyOf(FrameEncoder.encode(packet));
        events.add(new FabricEvent.Forged(stamp(nanos, false), BORDER, packet, frame, "came in with a wrong ICRC"));
        events.add(new FabricEvent.Corrupted(
                stamp(nanos, true), port, packet, frame, "wrong ICRC from outside", Optional.empty()));
    }

    int node() {
        return node;
    }

    /** A packet of the other node enters. */
    void enters(long nanos, int psn) {
        entersFrom(3 - node, nanos, psn);
    }

    /** A packet of the other node enters from another port of UDP, and asks for an acknowledgement. */
    void entersByASocket(long nanos, int psn) {
        Packet left = packet(3 - node, node, psn);
        enters(
                nanos,
                new Packet(
                        left.route().withUdpSourcePort(4791),
                        left.bth().withAckReq(true),
                        left.extended(),
                        left.payload()));
    }

    void entersFrom(int other, long nanos, int psn) {
        enters(nanos, packet(other, node, psn));
    }

    private void enters(long nanos, Packet packet) {
        events.add(new FabricEvent.Sent(stamp(nanos, false), BORDER, new Element(Element.Kind.PORT, 0), packet));
        events.add(new FabricEvent.Delivered(stamp(nanos, true), port, packet));
    }

    JoinedRun.Part part() {
        return part(port);
    }

    JoinedRun.Part part(String name) {
        Rlog.Trailer trailer = new Rlog.Trailer(events.size(), 0);
        return new JoinedRun.Part(name, new Rlog(Rlog.Header.of(name), events, 0, Optional.of(trailer)));
    }
}
