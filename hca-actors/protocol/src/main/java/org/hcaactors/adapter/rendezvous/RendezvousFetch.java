// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import java.util.List;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.work.AdapterInitiatedRequest;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/**
 * Fetch of one message's data: a READ, and then the message that notifies the sender (rules rendezvous-read,
 * rendezvous-finish).
 */
final class RendezvousFetch {
    /** Placeholder for a header's bytes, which are not in host memory. */
    private static final LocalSlice HEADER_PLACEHOLDER = new LocalSlice(0, 0, TagHeader.BYTES);

    private final RendezvousFetches fetches;
    private final TagMatch.Expected match;
    private final RendezvousHeader where;
    private final int queuePair;
    private final @Nullable Destination to;

    /** Event that is the cause of everything that the fetch does. */
    private final long begun;

    /** @param to destination of its requests, if they must name one */
    RendezvousFetch(RendezvousFetches fetches, FetchOrder order, @Nullable Destination to, Turn turn) {
        this.fetches = fetches;
        match = order.match();
        where = order.message().where();
        queuePair = order.queuePair();
        this.to = to;
        begun = turn.fetching(receive().id(), where.data(), where.lengthBytes());
    }

    private Receive receive() {
        return match.receive();
    }

    /** Returns the READ for the send queue. */
    PostedRequest read(Turn turn) {
        RdmaRead read = RdmaRead.of(receive().id(), room(), where.data());
        AdapterInitiatedRequest request = new AdapterInitiatedRequest(fetches.memory(), this::wasRead);
        return new PostedRequest(
                read,
                CompletionKind.RDMA_READ,
                where.lengthBytes(),
                PostedRequest.Extras.of(request, to, turn.adapterRequest(begun, read, to)));
    }

    /** Returns the part of the buffer that the data fill. */
    private List<LocalSlice> room() {
        return receive().local().stream()
                .limit(where.lengthBytes() == 0 ? 0 : 1)
                .map(buffer -> new LocalSlice(buffer.lkey(), buffer.address(), (int) where.lengthBytes()))
                .toList();
    }

    private PostedRequest finish(long cause, Turn turn) {
        byte[] header = match.header().finished().bytes();
        Send notification = Send.of(receive().id(), HEADER_PLACEHOLDER);
        AdapterInitiatedRequest request =
                new AdapterInitiatedRequest(fetches.memory(), (status, when) -> fetches.fetchEnded());
        PostedRequest.Extras extras =
                PostedRequest.Extras.of(request, to, turn.adapterRequest(cause, notification, to));
        return new PostedRequest(
                notification, CompletionKind.SEND, TagHeader.BYTES, extras.with(Octets.copyOf(header)));
    }

    // rule rendezvous-finish
    @MutationPoint("rendezvous-fetch.was-read")
    private void wasRead(Status status, Turn turn) {
        if (status != Status.SUCCESS) {
            fails(EventDetail.Plainly.SEE_CAUSE, turn);
            fetches.fetchEnded();
            return;
        }
        fetches.post(finish(turn.fetched(receive().id()), turn));
        completeReceive(Status.SUCCESS, TagInfo.DATA, where.lengthBytes(), turn);
    }

    // rule rendezvous-incomplete
    /** Leaves the fetch to the program. */
    void fails(Reason reason, Turn turn) {
        turn.notFetched(receive().id(), reason);
        completeReceive(Status.TM_RNDV_INCOMPLETE, TagInfo.NONE, 0, turn);
    }

    @MutationPoint("rendezvous-fetch.tell")
    private void completeReceive(Status status, TagInfo info, long lengthBytes, Turn turn) {
        WorkCompletion completion = match.completion(queuePair, status, info, lengthBytes);
        fetches.queue().complete(match, completion, true, false, turn);
    }
}
