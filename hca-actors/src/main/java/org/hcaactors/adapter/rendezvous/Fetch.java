// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import java.util.List;
import org.hcaactors.adapter.flow.Notice;
import org.hcaactors.adapter.tag.Match;
import org.hcaactors.adapter.work.Errand;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.Posted;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.Tagging;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.tag.RendezvousHeader;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.packet.Octets;

/** The data of one message: a READ, and then the message that tells its sender (rules rendezvous-read, rendezvous-finish). */
final class Fetch {
    /** Stands for a header's bytes, which are in no memory of the host. */
    private static final LocalSlice ADAPTERS_OWN = new LocalSlice(0, 0, TagHeader.BYTES);

    private final Fetches among;
    private final Match.Expected match;
    private final RendezvousHeader where;

    Fetch(Fetches among, Match.Expected match, RendezvousHeader where) {
        this.among = among;
        this.match = match;
        this.where = where;
    }

    /**
     * The READ, as it stands on the send queue.
     *
     * @param why the event that it follows from
     */
    Posted read(long why, Turn turn) {
        RdmaRead read = RdmaRead.of(match.receive().id(), room(), where.data());
        return new Posted(
                read, CompletionKind.RDMA_READ, where.lengthBytes(), ending(this::wasRead, turn.asks(why, read)));
    }

    /** As much of the buffer as the data fill. */
    private List<LocalSlice> room() {
        return match.receive().local().stream()
                .limit(where.lengthBytes() == 0 ? 0 : 1)
                .map(buffer -> new LocalSlice(buffer.lkey(), buffer.address(), (int) where.lengthBytes()))
                .toList();
    }

    /** The event that everything of it follows from. */
    long begins(Turn turn) {
        return turn.fetching(match.receive().id(), where.data(), where.lengthBytes());
    }

    private Posted finish(long why, Turn turn) {
        byte[] header = match.header().finished().bytes();
        Send told = Send.of(match.receive().id(), ADAPTERS_OWN);
        Posted.Extras ending = ending(this::wasTold, turn.asks(why, told)).with(Octets.copyOf(header));
        return new Posted(told, CompletionKind.SEND, TagHeader.BYTES, ending);
    }

    /** What is done when a request of it is. */
    private interface Ending {
        void ended(Status status, Turn turn);
    }

    private Posted.Extras ending(Ending ending, long event) {
        LocalMemory memory = among.memory();
        return Posted.Extras.of(
                new Errand() {
                    @Override
                    public LocalMemory memory() {
                        return memory;
                    }

                    @Override
                    public void ended(Status status, Turn turn) {
                        ending.ended(status, turn);
                    }
                },
                event);
    }

    // rule rendezvous-finish
    private void wasRead(Status status, Turn turn) {
        if (status != Status.SUCCESS) {
            fails(turn);
            among.left();
            return;
        }
        among.ask(finish(turn.fetched(match.receive().id()), turn));
        tell(Status.SUCCESS, Tagging.DATA, where.lengthBytes(), turn);
    }

    private void wasTold(Status status, Turn turn) {
        among.left();
    }

    // rule rendezvous-incomplete
    /** It will not be fetched: the program has to. */
    void fails(Turn turn) {
        turn.notFetched(match.receive().id(), Notice.Plainly.SEE_CAUSE);
        tell(Status.TM_RNDV_INCOMPLETE, Tagging.NONE, 0, turn);
    }

    private void tell(Status status, Tagging said, long lengthBytes, Turn turn) {
        WorkCompletion completion = new WorkCompletion(
                match.receive().id(),
                status,
                CompletionKind.TM_RECV,
                among.queuePair(),
                lengthBytes,
                WorkCompletion.Details.NONE.with(said));
        turn.completedMatch(among.queue(), match, completion, true, false);
    }
}
