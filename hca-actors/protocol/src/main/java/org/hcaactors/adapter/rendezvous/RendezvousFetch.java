// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import java.util.List;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.work.AdapterRequest;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.TagInfo;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.mutation.MutationPoint;
import org.jspecify.annotations.Nullable;

/** The data of one message: a READ, and then the message that tells its sender (rules rendezvous-read, rendezvous-finish). */
final class RendezvousFetch {
    /** Stands for a header's bytes, which are in no memory of the host. */
    private static final LocalSlice ADAPTERS_OWN = new LocalSlice(0, 0, TagHeader.BYTES);

    private final RendezvousFetches among;
    private final TagMatch.Expected match;
    private final RendezvousHeader where;
    private final int queuePair;
    private final @Nullable Destination to;

    /** The event that everything of it follows from. */
    private final long begun;

    /** @param to where its requests go, if they have to say so */
    RendezvousFetch(RendezvousFetches among, FetchOrder order, @Nullable Destination to, Turn turn) {
        this.among = among;
        match = order.match();
        where = order.message().where();
        queuePair = order.queuePair();
        this.to = to;
        begun = turn.fetching(receive().id(), where.data(), where.lengthBytes());
    }

    private Receive receive() {
        return match.receive();
    }

    /** The READ, as it stands on the send queue. */
    PostedRequest read(Turn turn) {
        RdmaRead read = RdmaRead.of(receive().id(), room(), where.data());
        AdapterRequest request = new AdapterRequest(among.memory(), this::wasRead);
        return new PostedRequest(
                read,
                CompletionKind.RDMA_READ,
                where.lengthBytes(),
                PostedRequest.Extras.of(request, to, turn.asks(begun, read, to)));
    }

    /** As much of the buffer as the data fill. */
    private List<LocalSlice> room() {
        return receive().local().stream()
                .limit(where.lengthBytes() == 0 ? 0 : 1)
                .map(buffer -> new LocalSlice(buffer.lkey(), buffer.address(), (int) where.lengthBytes()))
                .toList();
    }

    private PostedRequest finish(long reason, Turn turn) {
        byte[] header = match.header().finished().bytes();
        Send told = Send.of(receive().id(), ADAPTERS_OWN);
        AdapterRequest request = new AdapterRequest(among.memory(), (status, when) -> among.left());
        PostedRequest.Extras extras = PostedRequest.Extras.of(request, to, turn.asks(reason, told, to));
        return new PostedRequest(told, CompletionKind.SEND, TagHeader.BYTES, extras.with(Octets.copyOf(header)));
    }

    // rule rendezvous-finish
    @MutationPoint("rendezvous-fetch.was-read")
    private void wasRead(Status status, Turn turn) {
        if (status != Status.SUCCESS) {
            fails(EventDetail.Plainly.SEE_CAUSE, turn);
            among.left();
            return;
        }
        among.ask(finish(turn.fetched(receive().id()), turn));
        tell(Status.SUCCESS, TagInfo.DATA, where.lengthBytes(), turn);
    }

    // rule rendezvous-incomplete
    /** It will not be fetched: the program has to. */
    void fails(Reason reason, Turn turn) {
        turn.notFetched(receive().id(), reason);
        tell(Status.TM_RNDV_INCOMPLETE, TagInfo.NONE, 0, turn);
    }

    @MutationPoint("rendezvous-fetch.tell")
    private void tell(Status status, TagInfo said, long lengthBytes, Turn turn) {
        turn.completedMatch(among.queue(), match, match.completion(queuePair, status, said, lengthBytes), true, false);
    }
}
