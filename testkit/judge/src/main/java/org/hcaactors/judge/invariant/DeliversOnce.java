// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.api.work.KeyWork;
import org.hcaactors.api.work.MaskedCompareAndSwap;
import org.hcaactors.api.work.MaskedFetchAdd;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.invariant.ByEvent;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpFacts;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.SendLine;
import org.hcaactors.lab.invariant.TagFacts;
import org.hcaactors.lab.invariant.TraceState;

/**
 * RC delivers each message once, in order and whole, and a request that completes with success was executed. UC and UD may lose
 * messages, but what they deliver is whole. Queue pairs that a forged packet deceived, and their peers, are not checked.
 */
final class DeliversOnce implements Invariant {
    /** Size of a tunneled atomic in the payload of a WRITE. */
    private static final int COMMAND_BYTES = 16;

    private static final Report IGNORED = story -> {};

    /**
     * A sender, which may be one of several streams, and a receiver.
     *
     * @param byItself true if the adapter sends on its own and may overtake requests that were posted and not yet read
     */
    private record Way(SendLine from, QpName to, boolean byItself) {}

    private final Map<Way, Long> newest = TraceState.recent();
    private final ByEvent<Boolean> received = new ByEvent<>();

    /** By posting of an RDMA WRITE: how many bytes were written. */
    private final ByEvent<Long> written = new ByEvent<>();

    private final ByEvent<Boolean> executed = new ByEvent<>();

    @Override
    public String name() {
        return "delivers-once";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(HcaEvent.AtomicExecuted.class, HcaEvent.Completed.class, HcaEvent.MemoryWritten.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.Completed done
            when done.completion().isSuccess() || TagFacts.isLeft(done.completion()) -> {
                if (done.stamp().otherCause() != 0) {
                    sent(done, traceState, report);
                } else {
                    traceState
                            .postingBehind(done.stamp().cause())
                            .ifPresent(posted -> received(done, posted, traceState, report));
                }
            }
            case HcaEvent.MemoryWritten write
            when write.remote() ->
                traceState
                        .postingBehind(write.stamp().cause())
                        .ifPresent(posted -> written(write, posted, traceState, report));
            case HcaEvent.AtomicExecuted atomic ->
                traceState
                        .postingBehind(atomic.stamp().cause())
                        .ifPresent(posted -> executed(atomic, posted, traceState, report));
            default -> {}
        }
    }

    private void received(HcaEvent.Completed done, HcaEvent.WorkPosted posted, TraceState traceState, Report report) {
        QpName receiver = QpName.of(done.port(), done.completion().qpNumber());
        QpFacts facts = traceState.queuePair(receiver).orElse(null);
        if (facts == null) {
            return;
        }
        Report reported = traceState.isDeceived(receiver) ? IGNORED : report;
        Optional<Long> length = TagFacts.lengthTold(done.completion(), posted.work());
        long expected = length.orElse(0L) + (facts.receivesGrh() ? UdQueuePair.GRH_BYTES : 0);
        if (length.isPresent() && done.completion().lengthBytes() != expected) {
            reported.broken(receiver + ": a message of " + expected + " bytes is received as "
                    + done.completion().lengthBytes() + " bytes (receive "
                    + done.completion().workId() + ")");
        }
        if (!facts.isAnswered() || TagFacts.isSecond(done.completion())) {
            return;
        }
        if (received.has(posted.stamp().id())) {
            reported.broken(message(receiver, posted) + " is delivered twice");
        } else if (facts.isOrdered()) {
            receivedInOrder(receiver, posted, traceState, reported);
        }
        received.put(posted.stamp().id(), true);
    }

    private static String message(QpName receiver, HcaEvent.WorkPosted posted) {
        return receiver + ": message " + posted.work().id() + " of " + QpName.of(posted);
    }

    private void receivedInOrder(QpName receiver, HcaEvent.WorkPosted posted, TraceState traceState, Report reported) {
        Way way = new Way(
                traceState.line(QpName.of(posted), posted.stamp().id()),
                receiver,
                posted.stamp().cause() != 0);
        long before = newest.getOrDefault(way, 0L);
        long posting = posted.stamp().id();
        if (posting < before) {
            reported.broken(message(receiver, posted) + " is delivered after a later one");
        }
        newest.put(way, Math.max(before, posting));
    }

    private void written(
            HcaEvent.MemoryWritten write, HcaEvent.WorkPosted posted, TraceState traceState, Report report) {
        QpName receiver = QpName.of(write);
        Optional<QpFacts> facts = traceState.queuePair(receiver).filter(QpFacts::isAnswered);
        if (facts.isEmpty() || !(posted.work() instanceof RdmaWrite requested)) {
            return;
        }
        long done = written.getOrDefault(posted.stamp().id(), 0L);
        long expected = requested.remote().address() + done;
        if (facts.get().isOrdered() && write.address() != expected && !traceState.isDeceived(receiver)) {
            report.broken(receiver + ": RDMA_WRITE " + posted.work().id() + " of " + posted.port() + "/"
                    + posted.element()
                    + " writes at 0x" + Long.toHexString(write.address()) + ", but 0x" + Long.toHexString(expected)
                    + " is next" + (write.address() < expected ? ": those bytes were written before" : ""));
        }
        written.put(posted.stamp().id(), done + write.bytes().length());
    }

    private void executed(
            HcaEvent.AtomicExecuted atomic, HcaEvent.WorkPosted posted, TraceState traceState, Report report) {
        if (posted.work() instanceof RdmaWrite write) {
            tunneled(atomic, posted, write, traceState, report);
            return;
        }
        boolean again = executed.has(posted.stamp().id());
        executed.put(posted.stamp().id(), true);
        if (again && !traceState.isDeceived(QpName.of(atomic))) {
            report.broken(atomic.port() + "/" + atomic.element() + ": atomic "
                    + posted.work().id() + " of " + posted.port() + "/" + posted.element() + " is executed twice");
        }
    }

    /** Checks that each command of a tunneled atomic is executed once. */
    private void tunneled(
            HcaEvent.AtomicExecuted atomic,
            HcaEvent.WorkPosted posted,
            RdmaWrite write,
            TraceState traceState,
            Report report) {
        long done = written.getOrDefault(posted.stamp().id(), 0L) + COMMAND_BYTES;
        written.put(posted.stamp().id(), done);
        if (done > write.lengthBytes() && !traceState.isDeceived(QpName.of(atomic))) {
            report.broken(atomic.port() + "/" + atomic.element() + ": a command of "
                    + posted.work().id() + " of " + posted.port() + "/" + posted.element() + " is executed twice");
        }
    }

    /** Checks that a request of a reliable connection that completed with success was executed at the responder. */
    private void sent(HcaEvent.Completed done, TraceState traceState, Report report) {
        WorkCompletion completion = done.completion();
        Optional<HcaEvent.WorkPosted> posting = traceState.posting(done.stamp().otherCause());
        boolean answered = traceState
                .queuePair(done.port(), completion.qpNumber())
                .map(QpFacts::isAnswered)
                .orElse(false);
        if (!answered || posting.isEmpty() || traceState.isDeceived(QpName.of(done.port(), completion.qpNumber()))) {
            return;
        }
        HcaEvent.WorkPosted posted = posting.get();
        long id = posted.stamp().id();
        boolean carriedOut = switch (posted.work()) {
            case Send send -> received.has(id);
            case RdmaWrite write ->
                written.getOrDefault(id, 0L) == write.lengthBytes()
                        && (write.immediate().isEmpty() || received.has(id));
            case RdmaRead read -> true;
            case CompareAndSwap swap -> executed.has(id);
            case FetchAdd add -> executed.has(id);
            case MaskedCompareAndSwap swap -> executed.has(id);
            case MaskedFetchAdd add -> executed.has(id);
            case KeyWork own -> true;
        };
        if (!carriedOut) {
            report.broken(done.port() + "/qp" + completion.qpNumber() + ": request " + completion.workId()
                    + " completes with SUCCESS, but its peer never executed it");
        }
    }
}
