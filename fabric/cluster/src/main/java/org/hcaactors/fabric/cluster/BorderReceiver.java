// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.fabric.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.pekko.actor.typed.ActorRef;
import org.hcaactors.fabric.link.Endpoint;
import org.hcaactors.fabric.link.Receiver;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Packet;

/** The border's receiver: tells the uplink's actor. */
record BorderReceiver(ActorRef<UplinkActor.Command> uplink) implements Receiver {
    // rule wire-back-pressure
    @Override
    public int leave(Endpoint from, Packet[] batch, long[] traceIds) {
        tell(batch, traceIds, Optional.of(from));
        return batch.length;
    }

    /** Not called: packets leave. */
    @Override
    public void deliver(Packet[] batch, long[] traceIds) {
        tell(batch, traceIds, Optional.empty());
    }

    private void tell(Packet[] batch, long[] traceIds, Optional<Endpoint> creditor) {
        List<Outgoing> packets = new ArrayList<>(batch.length);
        for (int i = 0; i < batch.length; i++) {
            OptionalLong event = i < traceIds.length ? OptionalLong.of(traceIds[i]) : OptionalLong.empty();
            packets.add(new Outgoing(new Carried(batch[i], Optional.empty()), event, creditor));
        }
        uplink.tell(new UplinkActor.Leaving(packets));
    }

    @Override
    public void damaged(Packet packet, Octets frame) {
        Carried carried = new Carried(packet, Optional.of(frame));
        uplink.tell(new UplinkActor.Leaving(List.of(new Outgoing(carried, OptionalLong.empty(), Optional.empty()))));
    }

    /** Not called: a damaged packet comes with its frame. */
    @Override
    public void corrupted() {}

    @Override
    public void credit(int packets) {
        uplink.tell(new UplinkActor.Credit(packets));
    }
}
