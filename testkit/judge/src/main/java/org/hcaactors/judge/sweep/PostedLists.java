// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.sweep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.hcaactors.api.completion.CompletionQueue;
import org.hcaactors.api.completion.CqDescription;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.error.Errno;
import org.hcaactors.api.error.PostRefusedException;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpCapacity;
import org.hcaactors.api.stream.Subscribers;
import org.hcaactors.api.work.RcWork;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.hcaactors.lab.pair.Ends;
import org.hcaactors.lab.pair.Half;
import org.hcaactors.lab.pair.RcEnd;
import org.hcaactors.lab.pair.Side;
import org.hcaactors.lab.world.Watch;

// rules post-list, completion-producer-index
/**
 * Requests and receives posted in lists, some with an element that is refused: those before it are posted, it and those after it
 * are not. Each completes once, in the order of posting, and each completion queue passes a producer index that counts them.
 */
final class PostedLists implements Workload {
    /** Places of one side; each is used once. */
    private static final int PLACES = 240;

    private static final int PLACE = 64;
    private static final int LONGEST_LIST = 6;

    /** Fewer than two lists may have. */
    private static final int SEND_QUEUE = 7;

    private static final int MAX_SGE = 2;
    private static final int ENTRIES = 4 * PLACES;

    /** One completion queue: what it must report, and what it has reported. */
    private final class Reports {
        final List<Long> posted = new ArrayList<>();
        final List<WorkCompletion> completed = new ArrayList<>();
        final CompletionQueue queue;
        private final List<String> outOfOrder = new ArrayList<>();
        private long produced;
        private boolean ended;

        Reports(SweepNode node) {
            CqDescription description = CqDescription.of(ENTRIES).withProducerIndex(index -> produced = index);
            queue = sweep.world().await(node.context.createCq(description));
            queue.completions().subscribe(Subscribers.forEach(this::add, reason -> ended = true));
        }

        private void add(WorkCompletion completion) {
            int index = completed.size();
            completed.add(completion);
            if (index >= posted.size() || posted.get(index) != completion.workId()) {
                outOfOrder.add(completion + " is completion " + index + " of " + queue);
            }
        }

        boolean isWhole() {
            return !ended && sweep.severity().compareTo(FaultSeverity.DISASTER) < 0;
        }

        /** Requests that are posted complete, receives only with a message. */
        void checkAtRest(boolean all) {
            if (!outOfOrder.isEmpty()) {
                throw new AssertionError(outOfOrder.getFirst() + ", to which was posted, in this order, " + posted);
            }
            if (!isWhole()) {
                return;
            }
            if (all && completed.size() != posted.size()) {
                throw new AssertionError(
                        queue + " has " + completed.size() + " completions of requests " + posted + " at rest");
            }
            if (produced != completed.size()) {
                throw new AssertionError("the producer index of " + queue + " is " + produced + " after "
                        + completed.size() + " completions");
            }
        }
    }

    /** @param place that the request writes to */
    private record Written(long id, int place) {}

    private final SweepContext sweep;
    private final SplittableRandom random;
    private final Reports sent;
    private final Reports received;
    private final Ends<RcEnd> ends;
    private final List<Written> writes = new ArrayList<>();
    private int places;
    private int receives;
    private boolean over;

    /** Begins the workload; does nothing if a disaster prevents it. */
    static Workload begin(SweepContext sweep) {
        return sweep.<Workload>tryCreate("lists cannot start", () -> new PostedLists(sweep))
                .orElse(() -> {});
    }

    private PostedLists(SweepContext sweep) {
        this.sweep = sweep;
        random = sweep.random("posted lists");
        sent = new Reports(sweep.a());
        received = new Reports(sweep.b());
        ends = sweep.connected(half(sweep.a(), sent), half(sweep.b(), received), sweep.patient(random));
    }

    private Half half(SweepNode node, Reports reports) {
        Side side = Side.within(sweep.world().network(), node.domain, 2L * PLACES * PLACE);
        byte[] pattern = new byte[PLACES * PLACE];
        random.nextBytes(pattern);
        side.memory().write(0, pattern);
        if (sweep.world().watch() != Watch.NOBODY) {
            sweep.world().guard(node.adapter, SweepNode.PROCESS, side.memory());
        }
        return Half.on(side)
                .withCapacity(QpCapacity.DEFAULT
                        .withMaxSendWr(SEND_QUEUE)
                        .withMaxRecvWr(PLACES)
                        .withMaxSge(MAX_SGE)
                        .withMaxInlineBytes(0))
                .withSendCq(reports.queue)
                .withRecvCq(reports.queue)
                .withSignalAll();
    }

    @Override
    public void step() {
        int count = 1 + random.nextInt(LONGEST_LIST);
        if (over || places + count > PLACES) {
            return;
        }
        int messages = random.nextInt(count + 1);
        int refused = random.nextInt(4) == 0 ? random.nextInt(count) : count;
        try {
            postReceives(messages);
            postRequests(requests(count, messages, refused), refused);
        } catch (VerbsException ended) {
            over = true;
            if (sweep.severity() != FaultSeverity.DISASTER) {
                throw new AssertionError("a list was refused", ended);
            }
        }
    }

    private void postReceives(int count) {
        List<Receive> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = receives++;
            list.add(Receive.of(number, ends.b().slice((long) number * PLACE, PLACE)));
            received.posted.add((long) number);
        }
        ends.b().qp().postReceive(list);
    }

    private List<RcWork> requests(int count, int messages, int refused) {
        List<RcWork> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(request(i == refused, i < messages));
        }
        return list;
    }

    /** The queue pair takes fewer elements than the refused one has. */
    private RcWork request(boolean refused, boolean message) {
        int place = places++;
        long from = (long) place * PLACE;
        int bytes = 1 + random.nextInt(PLACE);
        RcEnd a = ends.a();
        if (refused) {
            return Send.of(place, a.slice(from, 1), a.slice(from, 1), a.slice(from, 1));
        }
        if (message) {
            return Send.of(place, a.slice(from, bytes));
        }
        writes.add(new Written(place, place));
        return RdmaWrite.of(place, a.slice(from, PLACE), ends.b().remote((long) (PLACES + place) * PLACE));
    }

    private void postRequests(List<RcWork> list, int refused) {
        int before = sent.posted.size();
        list.forEach(each -> sent.posted.add(each.id()));
        try {
            ends.a().qp().post(list);
            if (refused < list.size()) {
                throw new AssertionError("request " + refused + " of a list has too many elements, and was posted");
            }
        } catch (PostRefusedException refusal) {
            int index = refusal.index();
            if (refusal.errno() != Errno.ENOMEM && sweep.severity() == FaultSeverity.DISASTER) {
                sent.posted.subList(before + index, sent.posted.size()).clear();
                throw refusal;
            }
            boolean full = String.valueOf(refusal.getMessage()).contains("is full");
            if (refusal.errno() != Errno.ENOMEM
                    || index == list.size()
                    || (full ? index > refused : index != refused)) {
                throw new AssertionError("of a list of " + list.size() + " whose element " + refused
                        + " has too many elements, element " + index + " was refused: " + refusal.getMessage());
            }
            sent.posted.subList(before + index, sent.posted.size()).clear();
        } catch (VerbsException closed) {
            sent.posted.subList(before, sent.posted.size()).clear();
            throw closed;
        }
    }

    @Override
    public void atRest() {
        sent.checkAtRest(!over);
        received.checkAtRest(false);
        RcEnd b = ends.b();
        if (sweep.severity().compareTo(FaultSeverity.HOSTILE) >= 0
                || !b.memory().isMapped()
                || !ends.a().memory().isMapped()) {
            return;
        }
        writes.forEach(this::check);
    }

    private void check(Written write) {
        boolean done = sent.completed.stream().anyMatch(each -> each.workId() == write.id && each.isSuccess());
        boolean posted = sent.posted.contains(write.id);
        byte[] wanted = ends.a().memory().read((long) write.place * PLACE, PLACE);
        byte[] there = ends.b().memory().read((long) (PLACES + write.place) * PLACE, PLACE);
        if (done && !Arrays.equals(there, wanted)) {
            throw new AssertionError("WRITE " + write.id + " succeeded, but its bytes are not there");
        }
        if (!posted && !Arrays.equals(there, new byte[PLACE])) {
            throw new AssertionError("WRITE " + write.id + " was not posted, but bytes are at its place");
        }
    }
}
