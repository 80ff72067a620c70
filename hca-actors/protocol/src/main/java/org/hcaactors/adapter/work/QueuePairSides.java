// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.List;
import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/**
 * What a kind of queue pair is made of.
 *
 * @param transport the class of its packets; others are not for it
 * @param leading stand in each request to a peer, before the headers of its operation; answers have none
 * @param states the modify calls that it takes
 * @param queue where its requests stand, if not in the queue pair's own
 */
public record QueuePairSides(
        TransportClass transport,
        List<ExtendedHeader> leading,
        StateTable states,
        Initiator initiator,
        Target target,
        Optional<SendQueue> queue) {
    /** Whose requests stand in one queue, the queue pair's. */
    public QueuePairSides(
            TransportClass transport,
            List<ExtendedHeader> leading,
            StateTable states,
            Initiator initiator,
            Target target) {
        this(transport, leading, states, initiator, target, Optional.empty());
    }

    /** Whose requests begin with the headers of their operation. */
    public QueuePairSides(TransportClass transport, StateTable states, Initiator initiator, Target target) {
        this(transport, List.of(), states, initiator, target);
    }

    /** A packet that neither half refuses. */
    public void receive(Packet packet, Turn turn) {
        if (packet.operation().isResponse()) {
            initiator.response(packet, turn);
        } else {
            target.request(packet, turn);
        }
    }

    /** Pages that one of them waited for are there or can't be had. */
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        if (kind.isOfInitiator()) {
            initiator.pagesServed(kind, ticket, refusal, turn);
        } else {
            target.pagesServed(kind, ticket, refusal, turn);
        }
    }

    /** The peer's address is known, or has changed. */
    public void connect(Headers peer) {
        initiator.connect(peer.withLeading(leading));
        target.connect(peer);
    }
}
