// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.api.tag.RendezvousAddressHeader;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;

/** Start of a message to a tag-matching queue (rule tag-header). */
public sealed interface TagOpening {
    /** The message is no SEND, and consumes a receive only for its immediate data. */
    record Write() implements TagOpening {}

    /** The message is not subject to matching. */
    record NoTag() implements TagOpening {}

    record Eager(TagHeader header) implements TagOpening {}

    /** @param back source of the data, if it is not the connection's peer */
    record Rendezvous(TagHeader header, RendezvousHeader where, Optional<ReturnAddress> back) implements TagOpening {}

    /** @param first packet of the message */
    static TagOpening of(Packet first) {
        if (first.operation().family() == Operation.Family.WRITE) {
            return new Write();
        }
        Octets payload = first.payload();
        ByteBuffer bytes = ByteBuffer.wrap(
                payload.slice(0, Math.min(payload.length(), HEADERS)).toArray());
        Optional<TagHeader> header = TagHeader.read(bytes);
        if (header.isEmpty()) {
            return new NoTag();
        }
        return switch (header.get().operation()) {
            case EAGER -> new Eager(header.get());
            case NO_TAG, FINISHED -> new NoTag();
            case RENDEZVOUS -> rendezvous(header.get(), bytes, first).orElseGet(NoTag::new);
        };
    }

    // rule rendezvous-dc
    /** Empty if the packet is too short. */
    private static Optional<TagOpening> rendezvous(TagHeader header, ByteBuffer bytes, Packet first) {
        Optional<RendezvousHeader> where = RendezvousHeader.read(bytes);
        if (first.opcode().transport() != TransportClass.DC) {
            return where.map(data -> new Rendezvous(header, data, Optional.empty()));
        }
        return where.flatMap(data -> RendezvousAddressHeader.read(bytes)
                .map(target -> new ReturnAddress(first.route().source(), target))
                .map(back -> new Rendezvous(header, data, Optional.of(back))));
    }

    int HEADERS = TagHeader.BYTES + RendezvousHeader.BYTES + RendezvousAddressHeader.BYTES;
}
