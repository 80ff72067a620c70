// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.hcaactors.adapter.flow.BadRequest;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.RequestRefused;
import org.hcaactors.adapter.port.LocalPort;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.adapter.tag.ReturnAddress;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.PostedRequest;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.ReceiveParts;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.mutation.MutationPoint;

/**
 * Rendezvous data that the adapter fetches for a queue pair by itself. The requests are appended to the queue pair's send queue
 * (rule rendezvous-read), at most {@value #MAX} at a time; the others wait, and each of them occupies a slot of the tag list.
 */
public final class RendezvousFetches implements Fetcher {
    static final int MAX = 16;

    static final Reason NO_READS = new BadRequest.NoReadsAllowed();

    private final TagReceiveSource queue;
    private final LocalMemory memory;
    private final SendLedger requests;
    private final LocalPort port;
    private final long longest;
    private final BooleanSupplier canRead;
    private final ArrayDeque<RendezvousFetch> waiting = new ArrayDeque<>();
    private int inProgress;

    /**
     * @param memory access to memory in the protection domain of the tag-matching queue
     * @param parts with a send queue of the capacity {@link #places}
     */
    RendezvousFetches(TagReceiveSource queue, LocalMemory memory, ReceiveParts parts) {
        this.queue = queue;
        this.memory = memory;
        requests = parts.requests();
        port = parts.plan().port();
        longest = parts.plan().profile().port().maxMessageBytes();
        canRead = parts.canRead();
    }

    /** Capacity of a send queue, including the adapter's own requests: a power of two, or 0. */
    public static int places(QpPlan plan) {
        int posted = plan.capacity().maxSendWr();
        return plan.receives().mayFetch() ? Integer.highestOneBit(posted + MAX - 1) * 2 : posted;
    }

    TagReceiveSource queue() {
        return queue;
    }

    LocalMemory memory() {
        return memory;
    }

    // rule rendezvous-incomplete
    @Override
    public Optional<Reason> whyNot(TagOpening.Rendezvous message, long roomBytes) {
        Optional<Reason> tooLong = tooLong(message, Math.min(roomBytes, longest));
        return tooLong.isPresent() || canRead.getAsBoolean() ? tooLong : Optional.of(NO_READS);
    }

    static Optional<Reason> tooLong(TagOpening.Rendezvous message, long max) {
        return message.where().lengthBytes() > max
                ? Optional.of(new RequestRefused.LongerThanReceive(max))
                : Optional.empty();
    }

    // rules rendezvous-incomplete, rendezvous-dc
    @Override
    public void fetch(FetchOrder order, Turn turn) {
        Optional<ReturnAddress> back = order.message().back();
        Optional<Destination.Dynamic> to = back.flatMap(
                known -> Destination.Dynamic.backTo(known, memory.user().domain(), port));
        RendezvousFetch fetch = new RendezvousFetch(this, order, to.orElse(null), turn);
        if (back.isPresent() && to.isEmpty()) {
            // The port has no address of that IP version, or no longer.
            fetch.fails(new BadRequest.NoSourceAddress(), turn);
        } else {
            waiting.add(fetch);
        }
    }

    /** Posts as many READs as allowed; they are sent as any request. */
    @Override
    public void start(Turn turn) {
        while (inProgress < MAX && !waiting.isEmpty()) {
            inProgress++;
            post(waiting.remove().read(turn));
        }
    }

    @MutationPoint("rendezvous-fetches.ask")
    void post(PostedRequest request) {
        requests.add(request);
    }

    /** A fetch has ended. */
    void fetchEnded() {
        inProgress--;
    }

    /** Cancels the waiting fetches; those already posted end with the send queue. */
    @Override
    public void cancel(Turn turn) {
        while (!waiting.isEmpty()) {
            waiting.remove().fails(EventDetail.Plainly.SEE_CAUSE, turn);
        }
    }
}
