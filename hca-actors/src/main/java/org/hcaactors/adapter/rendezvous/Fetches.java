// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.hcaactors.adapter.flow.BadRequest;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.Refused;
import org.hcaactors.adapter.tag.Match;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.Posted;
import org.hcaactors.adapter.work.QpPlan;
import org.hcaactors.adapter.work.SendLedger;
import org.hcaactors.adapter.work.Turn;
import org.hcaactors.api.tag.RendezvousHeader;

/**
 * The data that a queue pair's adapter fetches by itself, for messages that brought none. Its requests stand on the queue pair's
 * send queue behind what is there (rule rendezvous-read); at most {@value #MOST} at a time, and the others wait, each of which holds
 * a place of the tag list.
 */
public final class Fetches {
    static final int MOST = 16;

    static final Reason NO_READS = new BadRequest.NoReadsAllowed();

    /** @param event that its READ will follow from */
    private record Waiting(Fetch fetch, long event) {}

    private final int queuePair;
    private final int queue;
    private final LocalMemory memory;
    private final SendLedger requests;
    private final long longest;
    private final BooleanSupplier runs;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int underWay;

    /**
     * @param queue number of the tag-matching queue
     * @param memory through the keys of that queue's domain
     * @param requests with {@link #places}
     * @param longest of the adapter's messages, in bytes
     * @param runs READs can be sent now
     */
    public Fetches(
            int queuePair, int queue, LocalMemory memory, SendLedger requests, long longest, BooleanSupplier runs) {
        this.queuePair = queuePair;
        this.queue = queue;
        this.memory = memory;
        this.requests = requests;
        this.longest = longest;
        this.runs = runs;
    }

    /** Of a send queue, which has room for them where they are made: a power of two, or 0. */
    public static int places(QpPlan plan) {
        int posted = plan.capacity().maxSendWr();
        return plan.receives() instanceof QpPlan.Tagged ? Integer.highestOneBit(posted + MOST - 1) * 2 : posted;
    }

    int queuePair() {
        return queuePair;
    }

    int queue() {
        return queue;
    }

    LocalMemory memory() {
        return memory;
    }

    // rule rendezvous-incomplete
    /** Why the program has to; empty where it need not. */
    Optional<Reason> whyNot(RendezvousHeader where, long roomBytes) {
        long most = Math.min(roomBytes, longest);
        if (where.lengthBytes() > most) {
            return Optional.of(new Refused.LongerThanReceive(most));
        }
        return runs.getAsBoolean() ? Optional.empty() : Optional.of(NO_READS);
    }

    void add(Match.Expected match, RendezvousHeader where, Turn turn) {
        Fetch fetch = new Fetch(this, match, where);
        waiting.add(new Waiting(fetch, fetch.begins(turn)));
    }

    /** Asks for what it may; what it asks for is sent as any request is. */
    public void start(Turn turn) {
        while (underWay < MOST && !waiting.isEmpty()) {
            underWay++;
            Waiting next = waiting.remove();
            ask(next.fetch.read(next.event, turn));
        }
    }

    void ask(Posted request) {
        requests.add(request);
    }

    /** One of those under way has come to its end. */
    void left() {
        underWay--;
    }

    /** Those that wait will not be fetched; what was asked for ends with the send queue. */
    public void cancel(Turn turn) {
        while (!waiting.isEmpty()) {
            waiting.remove().fetch.fails(turn);
        }
    }
}
