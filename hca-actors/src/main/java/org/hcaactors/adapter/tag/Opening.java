// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.tag;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/** What a message to a tag-matching queue begins with (rule tag-header). */
public sealed interface Opening {
    /** It is no SEND, and takes a receive for its immediate alone. */
    record Write() implements Opening {}

    /** It is not for matching. */
    record NoTag() implements Opening {}

    record Eager(TagHeader header) implements Opening {}

    record Rendezvous(TagHeader header, RendezvousHeader where) implements Opening {}

    /** @param first packet of the message */
    static Opening of(Packet first) {
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
            case RENDEZVOUS ->
                RendezvousHeader.read(bytes)
                        .<Opening>map(where -> new Rendezvous(header.get(), where))
                        .orElseGet(NoTag::new);
        };
    }

    int HEADERS = TagHeader.BYTES + RendezvousHeader.BYTES;
}
