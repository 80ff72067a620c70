// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.program;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.hcaactors.adapter.audit.WorkQueue;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.NoReceive;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.UdQueuePair;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.lab.recent.Recent;

/**
 * Detects {@linkplain ProgramCheck mistakes} of the programs of one world. It knows the buffers in regions that were posted to
 * queue pairs and shared receive queues, but not receives in tag lists, nor requests under windows and indirect keys. Of queues
 * and keys it remembers the newest {@value #MAX_KNOWN}.
 */
public final class ProgramChecks {
    /** Maximum number of queues, and of keys, that are remembered; older ones are not checked. */
    static final int MAX_KNOWN = 1 << 18;

    private record Number(String adapter, int number) {}

    private final Consumer<? super ProgramMistakeException> report;
    private final BooleanSupplier tampered;
    private final Set<ProgramCheck> checks;
    private final OwnedRanges ranges = new OwnedRanges();
    private final LentRequests requests = new LentRequests(ranges);
    private final KnownRegions regions = new KnownRegions();
    private final Map<Number, HcaEvent.QueuePairCreated> queuePairs = Recent.map(MAX_KNOWN);
    /** Requests posted since the last signaled one. */
    private final Map<Number, Integer> unsignaled = Recent.map(MAX_KNOWN);

    private final Set<Number> limited = Collections.newSetFromMap(Recent.map(MAX_KNOWN));
    private final Set<Number> takenFrom = Collections.newSetFromMap(Recent.map(MAX_KNOWN));

    /** The first failure in each completion queue from which no completion was ever polled. */
    private final Map<Number, HcaEvent.Completed> unseen = Recent.map(MAX_KNOWN);

    private Optional<LentBuffers> last = Optional.empty();
    private Optional<WorkRequest> lastWork = Optional.empty();

    /**
     * @param checks the mistakes to detect
     * @param report receives the mistakes
     * @param tampered true if a fault has made messages that no program sent
     */
    public ProgramChecks(
            Set<ProgramCheck> checks, Consumer<? super ProgramMistakeException> report, BooleanSupplier tampered) {
        this.checks = new HashSet<>(checks);
        this.report = report;
        this.tampered = tampered;
    }

    /** Permits these mistakes from now on. */
    public void allow(ProgramCheck... allowed) {
        List.of(allowed).forEach(checks::remove);
    }

    private void mistake(ProgramCheck check, String story) {
        if (checks.contains(check)) {
            report.accept(new ProgramMistakeException(check, story));
        }
    }

    // --- postings ---

    public void posted(WorkQueue queue, WorkRequest work, CompletionKind kind, boolean signaled) {
        boolean writes = kind == CompletionKind.RDMA_READ || kind.isAtomic();
        LentBuffers lent = new LentBuffers(
                queue,
                work.id(),
                new LentBuffers.Use(kind.toString(), writes, kind.isAtomic()),
                signaled,
                ProgramLine.ofCaller());
        // Inline data were copied already (rule post-inline).
        lend(
                lent,
                work.flags().inline() ? List.of() : work.local(),
                work.flags().fence());
        requests.sends(lent);
        last = Optional.of(lent);
        lastWork = Optional.of(work);
        checkSlots(queue, signaled);
    }

    // rule post-slot
    private void checkSlots(WorkQueue queue, boolean signaled) {
        Number qp = new Number(queue.adapter(), queue.number());
        int inARow = signaled ? 0 : unsignaled.getOrDefault(qp, 0) + 1;
        unsignaled.put(qp, inARow);
        if (inARow == queue.capacity()) {
            mistake(
                    ProgramCheck.ONLY_UNSIGNALED,
                    "the " + queue.capacity() + " requests that the send queue of " + queue.adapter() + "/qp"
                            + queue.number() + " holds are all unsignaled now, so none of its slots becomes free");
        }
    }

    public void posted(WorkQueue queue, Receive receive) {
        checkDatagrams(queue, receive);
        LentBuffers lent = new LentBuffers(queue, receive.id(), LentBuffers.Use.RECEIVE, true, ProgramLine.ofCaller());
        lend(lent, receive.local(), false);
        requests.receives(lent);
    }

    // rule ud-receive-memory
    private void checkDatagrams(WorkQueue queue, Receive receive) {
        HcaEvent.QueuePairCreated made = queuePairs.get(new Number(queue.adapter(), queue.number()));
        boolean ofDatagrams = !queue.shared() && made != null && made.transport() == QpType.UD;
        if (ofDatagrams && receive.lengthBytes() < UdQueuePair.GRH_BYTES) {
            mistake(
                    ProgramCheck.RECEIVE_TOO_SMALL,
                    "receive " + receive.id() + " of " + queue.adapter() + "/qp" + queue.number() + " has "
                            + receive.lengthBytes() + " bytes, but each datagram begins with a GRH of "
                            + UdQueuePair.GRH_BYTES + " bytes");
        }
    }

    /** The request is the one that was posted last, if any: a verb returns its stage at once. */
    public void pending(Object verb, Future<?> stage) {
        if (lastWork.filter(work -> work == verb).isPresent()) {
            last.ifPresent(lent -> lent.endsIn(stage));
            // The same request may be posted again, and be refused.
            last = Optional.empty();
            lastWork = Optional.empty();
        }
    }

    private void lend(LentBuffers lent, List<LocalSlice> local, boolean fenced) {
        List<OwnedRange> bytes = local.stream()
                .map(slice -> regions.place(lent.queue.adapter(), slice, lent))
                .flatMap(Optional::stream)
                .toList();
        for (OwnedRange each : bytes) {
            find(each.of(), each.first(), each.end(), other -> conflict(lent, other, fenced))
                    .ifPresent(other -> mistake(
                            ProgramCheck.BUFFER_POSTED_TWICE,
                            lent + ", is posted with " + bytes(each, other) + " that " + other + " still "
                                    + (other.use.writes() ? "writes to" : "sends")));
        }
        lent.has(bytes);
    }

    // rule rc-fence
    /** A fenced request waits for earlier READs and atomics of its queue. */
    private static boolean conflict(LentBuffers posted, LentBuffers other, boolean fenced) {
        boolean waits = fenced
                && other.use.writes()
                && other.use != LentBuffers.Use.RECEIVE
                && other.queue.owner() == posted.queue.owner();
        boolean results = posted.use.atomic() && other.use.atomic();
        return (posted.use.writes() || other.use.writes()) && !waits && !results;
    }

    private static String bytes(OwnedRange one, LentBuffers other) {
        long shared = other.ranges().stream()
                .mapToLong(range -> Math.min(one.end(), range.end()) - Math.max(one.first(), range.first()))
                .filter(count -> count > 0)
                .sum();
        return shared + " bytes";
    }

    // --- completions ---

    public void took(String adapter, WorkCompletion completion) {
        HcaEvent.QueuePairCreated made = queuePairs.get(new Number(adapter, completion.qpNumber()));
        boolean received = isReceive(completion);
        if (made != null) {
            Number queue = new Number(adapter, received ? made.recvCq() : made.sendCq());
            takenFrom.add(queue);
            unseen.remove(queue);
        }
        if (received) {
            OptionalInt shared = made == null ? OptionalInt.empty() : made.srq();
            requests.receiveEnded(adapter, completion.qpNumber(), shared, completion.workId());
        } else {
            if (!completion.isSuccess()) {
                // A request that fails returns its slot, signaled or not.
                unsignaled.remove(new Number(adapter, completion.qpNumber()));
            }
            requests.sendEnded(adapter, completion.qpNumber(), completion.workId());
        }
    }

    public void emptied(String adapter, int queuePair) {
        unsignaled.remove(new Number(adapter, queuePair));
        requests.emptied(adapter, queuePair);
    }

    public void limited(String adapter, int sharedReceives, int limit) {
        if (limit > 0) {
            limited.add(new Number(adapter, sharedReceives));
        }
    }

    private static boolean isReceive(WorkCompletion completion) {
        return switch (completion.kind()) {
            case RECV, RECV_RDMA_WITH_IMM, TM_RECV, TM_NO_TAG, TM_ADD, TM_DEL, TM_SYNC -> true;
            default -> false;
        };
    }

    // --- accesses of the program ---

    public void accessed(String adapter, String process, long address, long lengthBytes, boolean writes) {
        if (ranges.isEmpty() || lengthBytes == 0) {
            return;
        }
        OwnedRange.Host host = new OwnedRange.Host(adapter, process);
        find(host, address, address + lengthBytes, lent -> writes || lent.use.writes())
                .ifPresent(lent -> {
                    String did = process + " on " + adapter + (writes ? " writes " : " reads ") + lengthBytes
                            + " bytes at " + "0x%x".formatted(address)
                            + at(ProgramLine.ofCaller());
                    mistake(
                            writes ? ProgramCheck.BUFFER_WRITTEN_EARLY : ProgramCheck.BUFFER_READ_EARLY,
                            did
                                    + (lent.use.writes()
                                            ? ", which the adapter may still write to: "
                                            : ", which the adapter may still send: ")
                                    + lent);
                });
    }

    private static String at(String line) {
        return line.isEmpty() ? "" : " in " + line;
    }

    private Optional<LentBuffers> find(OwnedRange.Host host, long from, long to, Predicate<LentBuffers> kind) {
        Predicate<OwnedRange> owned = range -> kind.test(range.by()) && !isBack(range.by());
        Optional<OwnedRange> first = ranges.find(host, from, to, owned);
        first.ifPresent(range -> requests.settle(range.by()));
        return first.flatMap(found -> ranges.find(host, from, to, owned)).map(OwnedRange::by);
    }

    private static boolean isBack(LentBuffers lent) {
        return lent.isBack() || lent.isDone();
    }

    // --- events ---

    public void on(TraceEvent event) {
        regions.note(event);
        switch (event) {
            case HcaEvent.QueuePairCreated made -> {
                queuePairs.put(new Number(made.port(), made.element().number()), made);
                // The number may have belonged to a destroyed queue pair.
                emptied(made.port(), made.element().number());
            }
            case HcaEvent.XrcSrqDestroyed destroyed ->
                limited.remove(new Number(destroyed.port(), destroyed.element().number()));
            case HcaEvent.ReceiveTaken taken ->
                requests.taken(taken.port(), taken.element().number(), taken.qp(), taken.workId());
            case HcaEvent.TagUnmatched taken ->
                requests.taken(taken.port(), taken.element().number(), taken.qp(), taken.workId());
            case HcaEvent.ReceiveReturned back ->
                requests.returned(back.port(), back.element().number(), back.qp(), back.workId());
            case HcaEvent.Completed done -> completed(done);
            case HcaEvent.Failed failed -> unreceived(failed, failed.reason());
            case HcaEvent.Discarded discarded -> unreceived(discarded, discarded.reason());
            default -> {}
        }
    }

    private void completed(HcaEvent.Completed done) {
        WorkCompletion completion = done.completion();
        if (completion.isSuccess() || completion.status() == Status.WR_FLUSH_ERR) {
            return;
        }
        boolean received = isReceive(completion);
        if (received && completion.status() == Status.LOC_LEN_ERR && !tampered.getAsBoolean()) {
            mistake(
                    ProgramCheck.RECEIVE_TOO_SMALL,
                    "receive " + completion.workId() + " of " + done.port() + "/qp" + completion.qpNumber()
                            + " matched a longer message");
        }
        HcaEvent.QueuePairCreated made = queuePairs.get(new Number(done.port(), completion.qpNumber()));
        boolean hasStage = !received && requests.hasStage(done.port(), completion.qpNumber(), completion.workId());
        if (made != null && !hasStage) {
            Number queue = new Number(done.port(), received ? made.recvCq() : made.sendCq());
            if (!takenFrom.contains(queue)) {
                unseen.putIfAbsent(queue, done);
            }
        }
    }

    private void unreceived(HcaEvent event, Reason reason) {
        if (reason != NoReceive.SHARED_QUEUE_IS_EMPTY) {
            return;
        }
        Stream.ofNullable(
                        queuePairs.get(new Number(event.port(), event.element().number())))
                .flatMapToInt(made -> made.srq().stream())
                .mapToObj(srq -> new Number(event.port(), srq))
                .filter(srq -> !limited.contains(srq))
                .findFirst()
                .ifPresent(srq -> mistake(
                        ProgramCheck.LIMIT_NOT_ARMED,
                        "a message to " + event.port() + "/qp" + event.element().number()
                                + " found shared receive queue " + srq.number
                                + " empty, and its limit was never armed"));
    }

    /** Reports the failures that no program has seen by the end of the world. */
    public void atEnd() {
        unseen.forEach((queue, failure) -> {
            WorkCompletion completion = failure.completion();
            mistake(
                    ProgramCheck.FAILURES_NOT_SEEN,
                    (isReceive(completion) ? "receive " : "request ") + completion.workId() + " of " + queue.adapter
                            + "/qp" + completion.qpNumber() + " ended with " + completion.status()
                            + ", and the program never took a completion of cq" + queue.number);
        });
    }
}
