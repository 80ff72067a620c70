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

@Name("org.hcaactors.PacketIgnored")
@Label("Packet Ignored")
@Category({"RDMA", "Packets"})
@Description("A queue pair ignored a received packet")
@StackTrace(false)
final class PacketIgnoredEvent extends Event {
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

    @Label("Element")
    @Description("Queue pair that ignored it")
    String element = "";

    @Label("Reason")
    String reason = "";

    static void of(String port, Packet packet, String element, String reason) {
        PacketIgnoredEvent event = new PacketIgnoredEvent();
        if (event.isEnabled()) {
            event.adapter = port;
            event.opcode = packet.opcode().name();
            event.psn = packet.psn();
            event.source = packet.route().source().toString();
            event.destination = packet.route().destination().toString();
            event.queuePair = packet.bth().destQp();
            event.bytes = packet.frameBytes();
            event.element = element;
            event.reason = reason;
            event.commit();
        }
    }
}
