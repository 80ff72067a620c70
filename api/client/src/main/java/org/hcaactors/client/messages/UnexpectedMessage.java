// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.client.messages;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;

/**
 * A message that the adapter expected not, or whose data it leaves to the program.
 *
 * @param place number of the endpoint's own buffer that it stands in, or {@link TagResources#NOWHERE}
 * @param queuePair over which it came
 * @param lengthBytes of its data
 */
record UnexpectedMessage(
        int place, int queuePair, TagHeader header, Optional<RendezvousHeader> where, int lengthBytes) {
    /**
     * Empty where it does not begin as a message with a tag does.
     *
     * @param begin of what stands there
     */
    static Optional<UnexpectedMessage> unexpected(int place, WorkCompletion completion, byte[] begin) {
        ByteBuffer bytes = ByteBuffer.wrap(begin);
        return TagHeader.read(bytes).map(header -> {
            Optional<RendezvousHeader> where = header.operation() == TagHeader.Operation.RENDEZVOUS
                    ? RendezvousHeader.read(bytes)
                    : Optional.empty();
            long brought = completion.lengthBytes() - TagHeader.BYTES;
            return new UnexpectedMessage(place, completion.qpNumber(), header, where, length(where, brought));
        });
    }

    // rule rendezvous-incomplete
    /**
     * What the adapter does not fetch is described in the buffer that it is for.
     *
     * @param begin of that buffer; empty where it can't be read
     */
    static UnexpectedMessage left(Optional<byte[]> begin, WorkCompletion completion, TagInfo.Info info) {
        Optional<RendezvousHeader> where = begin.flatMap(bytes -> RendezvousHeader.read(ByteBuffer.wrap(bytes)));
        TagHeader header = TagHeader.rendezvous(info.appContext(), info.tag());
        return new UnexpectedMessage(
                TagResources.NOWHERE, completion.qpNumber(), header, where, length(where, Integer.MAX_VALUE));
    }

    /** False where its buffer had no room for the description of its data. */
    boolean isLengthKnown() {
        return where.isPresent() || header.operation() != TagHeader.Operation.RENDEZVOUS;
    }

    private static int length(Optional<RendezvousHeader> where, long brought) {
        return (int) Math.min(where.map(RendezvousHeader::lengthBytes).orElse(brought), Integer.MAX_VALUE);
    }
}
