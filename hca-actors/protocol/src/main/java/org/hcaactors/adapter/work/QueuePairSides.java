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
 * The halves and tables of one kind of queue pair.
 *
 * @param transport transport class of its packets; others are discarded
 * @param leading headers in each request to a peer, before those of its operation; responses have none
 * @param states the modify calls that it allows
 * @param queue its send queue, if not the queue pair's default one
 */
public record QueuePairSides(
        TransportClass transport,
        List<ExtendedHeader> leading,
        StateTable states,
        Initiator initiator,
        Target target,
        Optional<SendQueue> queue) {
    /** Creates the halves of a queue pair with the default send queue. */
    public QueuePairSides(
            TransportClass transport,
            List<ExtendedHeader> leading,
            StateTable states,
            Initiator initiator,
            Target target) {
        this(transport, leading, states, initiator, target, Optional.empty());
    }

    /** Creates the halves of a queue pair without leading headers. */
    public QueuePairSides(TransportClass transport, StateTable states, Initiator initiator, Target target) {
        this(transport, List.of(), states, initiator, target);
    }

    /** Handles a packet that neither half refuses. */
    public void receive(Packet packet, Turn turn) {
        if (packet.operation().isResponse()) {
            initiator.response(packet, turn);
        } else {
            target.request(packet, turn);
        }
    }

    /** Reports that awaited pages are present or not available. */
    public void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {
        if (kind.isOfInitiator()) {
            initiator.pagesServed(kind, ticket, refusal, turn);
        } else {
            target.pagesServed(kind, ticket, refusal, turn);
        }
    }

    /** The peer's address is known or has changed. */
    public void connect(Headers peer) {
        initiator.connect(peer.withLeading(leading));
        target.connect(peer);
    }
}
