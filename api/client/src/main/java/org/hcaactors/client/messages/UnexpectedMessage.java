// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;

/**
 * A message that was unexpected for the adapter, or whose data it leaves to the program.
 *
 * @param place slot of the endpoint's buffer that holds it, or {@link TagResources#NO_SLOT}
 * @param queuePair number of the queue pair that received it
 * @param where description of the data of a rendezvous
 * @param lengthBytes length of its data
 */
record UnexpectedMessage(
        int place, int queuePair, TagHeader header, Optional<RendezvousHeader> where, int lengthBytes) {
    /**
     * Empty if it does not begin with the header of a tagged message.
     *
     * @param begin first bytes of the buffer
     */
    static Optional<UnexpectedMessage> unexpected(int place, WorkCompletion completion, byte[] begin) {
        ByteBuffer bytes = ByteBuffer.wrap(begin);
        return TagHeader.read(bytes).map(header -> {
            Optional<RendezvousHeader> where = header.operation() == TagHeader.Operation.RENDEZVOUS
                    ? RendezvousHeader.read(bytes)
                    : Optional.empty();
            long eagerBytes = completion.lengthBytes() - TagHeader.BYTES;
            return new UnexpectedMessage(place, completion.qpNumber(), header, where, length(where, eagerBytes));
        });
    }

    // rule rendezvous-incomplete
    /**
     * A rendezvous message that the adapter did not fetch: its description is in the receive's buffer.
     *
     * @param begin first bytes of that buffer; empty if it cannot be read
     */
    static UnexpectedMessage notFetched(Optional<byte[]> begin, WorkCompletion completion, TagInfo.Info info) {
        Optional<RendezvousHeader> where = begin.flatMap(bytes -> RendezvousHeader.read(ByteBuffer.wrap(bytes)));
        TagHeader header = TagHeader.rendezvous(info.appContext(), info.tag());
        return new UnexpectedMessage(
                TagResources.NO_SLOT, completion.qpNumber(), header, where, length(where, Integer.MAX_VALUE));
    }

    /** False if the buffer was too short for the description of the data. */
    boolean isLengthKnown() {
        return where.isPresent() || header.operation() != TagHeader.Operation.RENDEZVOUS;
    }

    private static int length(Optional<RendezvousHeader> where, long eagerBytes) {
        return (int) Math.min(where.map(RendezvousHeader::lengthBytes).orElse(eagerBytes), Integer.MAX_VALUE);
    }
}
