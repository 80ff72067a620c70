// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.gateway;

import org.hcaactors.fabric.actor.FabricActor;
import org.hcaactors.fabric.actor.FabricReference;
import org.hcaactors.fabric.cable.CableCounter;
import org.hcaactors.fabric.uplink.UplinkCounters;

/** Packets that reached the border and did not leave: counted, and shown in the trace if their arrival is. Any thread. */
record Losses(UplinkCounters<CableCounter> counters, FabricReference fabric) {
    void lost(Outgoing packet, CableCounter counter, String reason) {
        counters.count(counter);
        packet.event().ifPresent(event -> fabric.tell(new FabricActor.NotSent(packet.packet(), reason, event)));
    }
}
