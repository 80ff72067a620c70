// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.hcaactors.fabric.packet.Packet;

@Name("org.hcaactors.PacketLost")
@Label("Packet Lost")
@Category({"RDMA", "Packets"})
@Description("A packet that did not reach its queue pair")
@StackTrace(false)
final class PacketLostEvent extends Event {
    @Label("Adapter")
    @Description("Adapter of the port")
    String adapter = "";

    @Label("Opcode")
    String opcode = "";

    @Label("PSN")
    int psn;

    @Label("Source")
    String source = "";

    @Label("Destination")
    String destination = "";

    @Label("To Queue Pair")
    int queuePair;

    @Label("Length")
    @Description("Length of the frame")
    @DataAmount
    int bytes;

    @Label("Kind")
    @Description("DROPPED on the way; CORRUPTED: it arrived with a wrong ICRC")
    String kind = "";

    @Label("Reason")
    String reason = "";

    static void of(String port, Packet packet, String kind, String reason) {
        PacketLostEvent event = new PacketLostEvent();
        if (event.isEnabled()) {
            event.adapter = port;
            event.opcode = packet.opcode().name();
            event.psn = packet.psn();
            event.source = packet.route().source().toString();
            event.destination = packet.route().destination().toString();
            event.queuePair = packet.bth().destQp();
            event.bytes = packet.frameBytes();
            event.kind = kind;
            event.reason = reason;
            event.commit();
        }
    }
}
