// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.work.AtomicValue;
import org.hcaactors.api.work.RdmaWrite;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.invariant.AtomicResult;
import org.hcaactors.lab.invariant.Filling;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.ReferenceAtomics;
import org.hcaactors.lab.invariant.ShadowMemory;
import org.hcaactors.lab.invariant.TraceState;

/**
 * Atomics of all queue pairs on one piece of memory must have one order that explains every result (rule memory-atomic), across
 * all sizes and all keys that map it, in any process. The check uses postings, answers and completions only, in {@linkplain
 * ShadowMemory guarded} memory, which only the adapter changes. A piece is not checked if an atomic changed it through an
 * indirect key, or if no program posted the atomic. An atomic that a queue pair completes while a forged packet deceives it or
 * its peer may have been executed at any time or never, and its result is ignored; a piece with more than {@value
 * #MAX_DOUBTFUL} of these is not checked either.
 */
final class AtomicsLinearizable implements Invariant {
    /** Each doubtful atomic doubles the number of orders to try. */
    private static final int MAX_DOUBTFUL = 6;

    private static final class Open {
        final HcaEvent.WorkPosted posted;
        final AtomicPieces.Range range;
        long completedAt = Long.MAX_VALUE;
        boolean doubtful;
        Optional<AtomicValue> result = Optional.empty();

        Open(HcaEvent.WorkPosted posted, AtomicPieces.Range range) {
            this.posted = posted;
            this.range = range;
        }

        /** Called when the completion arrives: a later RESET of the requester ends the deception, but not its effects. */
        void completed(long at, TraceState traceState) {
            if (traceState.isDeceived(QpName.of(posted))) {
                doubtful = true;
            } else {
                completedAt = at;
            }
        }

        /**
         * Returns this atomic as an operation within a piece.
         *
         * @param piece the piece that contains it
         */
        AtomicHistory.Operation within(AtomicPieces.Range piece) {
            boolean certain = completedAt != Long.MAX_VALUE;
            return new AtomicHistory.Operation(
                    (int) (range.from() - piece.from()) / Integer.BYTES,
                    range.count(),
                    ReferenceAtomics.change(posted.work()),
                    posted.stamp().id(),
                    completedAt,
                    certain ? result : Optional.empty());
        }
    }

    private final ShadowMemory guards;
    private final AtomicPieces<Open> pieces = new AtomicPieces<>();
    private final Map<Long, Open> byPosting = TraceState.recent();

    AtomicsLinearizable(ShadowMemory guards) {
        this.guards = guards;
    }

    @Override
    public String name() {
        return "atomics-linearizable";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                FabricEvent.Delivered.class,
                HcaEvent.AtomicExecuted.class,
                HcaEvent.Completed.class,
                HcaEvent.InlineCopied.class,
                HcaEvent.MemoryWritten.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case FabricEvent.Delivered delivered -> delivered(delivered, traceState);
            case HcaEvent.Completed done
            when done.completion().isSuccess() && done.completion().kind().isAtomic() -> {
                Open open = byPosting.get(done.stamp().otherCause());
                if (open != null) {
                    open.completed(done.stamp().id(), traceState);
                }
            }
            case HcaEvent.MemoryWritten write ->
                traceState
                        .fillings()
                        .leaves(
                                write.port(),
                                write.key(),
                                write.address(),
                                write.bytes().length())
                        .forEach(run -> written(write.port(), run, traceState));
            case HcaEvent.InlineCopied copy ->
                guards.place(copy)
                        .ifPresent(first -> pieces.remove(
                                AtomicPieces.Range.of(first, copy.bytes().length())));
            case HcaEvent.AtomicExecuted atomic -> executed(atomic, traceState);
            default -> {}
        }
    }

    private void executed(HcaEvent.AtomicExecuted atomic, TraceState traceState) {
        int bytes = atomic.after().sizeBytes();
        if (traceState.fillings().of(atomic.port(), atomic.key()).isPresent()) {
            traceState
                    .fillings()
                    .leaves(atomic.port(), atomic.key(), atomic.address(), bytes)
                    .forEach(run -> spoil(atomic.port(), run.key(), run.address(), bytes, traceState));
        } else if (traceState
                .postingBehind(atomic.stamp().cause())
                .filter(posted -> posted.work() instanceof RdmaWrite)
                .isPresent()) {
            traceState
                    .key(atomic.port(), atomic.key())
                    .flatMap(key -> guards.place(key, atomic.address()))
                    .ifPresent(place -> pieces.remove(AtomicPieces.Range.of(place, bytes)));
        } else if (traceState
                .delivery(atomic.stamp().cause())
                .filter(traceState::isForged)
                .isPresent()) {
            spoil(atomic.port(), atomic.key(), atomic.address(), bytes, traceState);
        } else {
            boundLater(atomic, traceState);
        }
    }

    private void spoil(String port, int key, long address, int bytes, TraceState traceState) {
        traceState
                .key(port, key)
                .flatMap(found -> guards.place(found, address))
                .ifPresent(place -> pieces.spoil(AtomicPieces.Range.of(place, bytes)));
    }

    /**
     * Counts an atomic through a window that was bound after the posting: a request may name the window's new key and wait for
     * the bind.
     */
    private void boundLater(HcaEvent.AtomicExecuted atomic, TraceState traceState) {
        traceState
                .key(atomic.port(), atomic.key())
                .filter(key -> key.kind() == HcaEvent.KeyKind.MEMORY_WINDOW)
                .ifPresent(window -> traceState
                        .postingBehind(atomic.stamp().cause())
                        .ifPresent(posted -> meant(window, atomic.address(), posted)));
    }

    private void meant(HcaEvent.Registered key, long address, HcaEvent.WorkPosted posted) {
        guards.place(key, address).ifPresent(place -> {
            AtomicPieces.Range range = AtomicPieces.Range.of(place, ReferenceAtomics.sizeBytes(posted.work()));
            long id = posted.stamp().id();
            Open open = byPosting.computeIfAbsent(id, none -> new Open(posted, range));
            pieces.add(open.range, id, open);
        });
    }

    private void written(String port, Filling.Run run, TraceState traceState) {
        traceState
                .key(port, run.key())
                .flatMap(region -> guards.place(region, run.address()))
                .ifPresent(first -> pieces.remove(AtomicPieces.Range.of(
                        new ShadowMemory.Place(port, first.process(), first.address()), run.count())));
    }

    private void delivered(FabricEvent.Delivered delivered, TraceState traceState) {
        Packet packet = delivered.packet();
        Optional<HcaEvent.WorkPosted> posting =
                traceState.postingBehind(delivered.stamp().id());
        if (posting.isEmpty()) {
            return;
        }
        HcaEvent.WorkPosted posted = posting.get();
        if (packet.operation().family() == Operation.Family.ATOMIC) {
            if (packet.operation().isMasked()) {
                request(
                        delivered.port(),
                        packet.atomicAddress().rkey(),
                        packet.atomicAddress().address(),
                        posted,
                        traceState);
            } else {
                request(
                        delivered.port(),
                        packet.atomicEth().rkey(),
                        packet.atomicEth().address(),
                        posted,
                        traceState);
            }
        } else if (packet.operation() == Operation.ATOMIC_ACKNOWLEDGE) {
            Open open = byPosting.get(posted.stamp().id());
            if (open != null && open.result.isEmpty()) {
                open.result =
                        Optional.of(AtomicResult.in(packet, open.posted.work()).value());
            }
        }
    }

    private void request(String port, int key, long address, HcaEvent.WorkPosted posted, TraceState traceState) {
        traceState.key(port, key).ifPresent(found -> meant(found, address, posted));
    }

    @Override
    public void whenIdle(TraceState traceState, Report report) {
        pieces.forEach((piece, opens) -> {
            if (opens.stream().filter(each -> each.doubtful).count() > MAX_DOUBTFUL) {
                return;
            }
            if (!AtomicHistory.isLinearizable(
                    opens.stream().map(each -> each.within(piece)).toList())) {
                report.broken(
                        "the " + opens.size() + " atomics on " + piece + " have no order that explains their results");
            }
        });
        pieces.clear();
    }
}
