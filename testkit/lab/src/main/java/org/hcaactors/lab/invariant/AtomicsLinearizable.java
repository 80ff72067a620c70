// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.work.CompareAndSwap;
import org.hcaactors.api.work.FetchAdd;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;

/**
 * Atomics from all queue pairs on one word can be put in one order that explains every result (rule memory-atomic),
 * across all keys that map the word, of whatever process. Judged from the outside, by postings, answers and completions, and
 * only in {@linkplain Guards guarded} memory, which nobody but the adapter changes. Of a word nothing is said that an atomic
 * changed through an indirect key, and nothing of one that an atomic of a queue pair was meant for which a forged packet
 * deceived, or its peer.
 */
final class AtomicsLinearizable implements Invariant {
    private static final class Open {
        final HcaEvent.WorkPosted posted;
        long completedAt = Long.MAX_VALUE;
        OptionalLong result = OptionalLong.empty();

        Open(HcaEvent.WorkPosted posted) {
            this.posted = posted;
        }

        QpName requester() {
            return QpName.of(posted);
        }
    }

    private final Guards guards;
    private final Map<Guards.Place, Map<Long, Open>> cells = new LinkedHashMap<>();
    private final Map<Long, Open> byPosting = Known.recent();
    /** Changed by an atomic that nobody posted. */
    private final Set<Guards.Place> spoiled = new LinkedHashSet<>();

    AtomicsLinearizable(Guards guards) {
        this.guards = guards;
    }

    @Override
    public String name() {
        return "atomics-linearizable";
    }

    @Override
    public void on(TraceEvent event, Known known, Report report) {
        switch (event) {
            case FabricEvent.Delivered delivered -> delivered(delivered, known);
            case HcaEvent.Completed done
            when done.completion().isSuccess() && done.completion().kind().isAtomic() -> {
                Open open = byPosting.get(done.stamp().otherCause());
                if (open != null) {
                    open.completedAt = done.stamp().id();
                }
            }
            case HcaEvent.MemoryWritten write ->
                known.fillings()
                        .leaves(
                                write.port(),
                                write.key(),
                                write.address(),
                                write.bytes().length())
                        .forEach(run -> written(write.port(), run, known));
            case HcaEvent.Copied copy ->
                guards.place(copy)
                        .ifPresent(first -> written(
                                copy.port(),
                                first.process(),
                                first.address(),
                                copy.bytes().length()));
            case HcaEvent.AtomicExecuted atomic
            when known.fillings().of(atomic.port(), atomic.key()).isPresent() ->
                known.fillings()
                        .leaves(atomic.port(), atomic.key(), atomic.address(), Long.BYTES)
                        .forEach(run -> spoil(atomic.port(), run.key(), run.address(), known));
            case HcaEvent.AtomicExecuted atomic
            when known.delivery(atomic.stamp().cause()).filter(known::isForged).isPresent() ->
                spoil(atomic.port(), atomic.key(), atomic.address(), known);
            case HcaEvent.AtomicExecuted atomic -> executed(atomic, known);
            default -> {}
        }
    }

    private void spoil(String port, int key, long address, Known known) {
        known.key(port, key).flatMap(found -> guards.place(found, address)).ifPresent(spoiled::add);
    }

    /** What named a window's new key may have come before that was bound, and waited for it. */
    private void executed(HcaEvent.AtomicExecuted atomic, Known known) {
        known.key(atomic.port(), atomic.key())
                .filter(key -> key.kind() == HcaEvent.KeyKind.MEMORY_WINDOW)
                .ifPresent(window -> known.postingBehind(atomic.stamp().cause())
                        .ifPresent(posted -> meant(window, atomic.address(), posted)));
    }

    private void meant(HcaEvent.Registered key, long address, HcaEvent.WorkPosted posted) {
        guards.place(key, address).ifPresent(cell -> {
            long id = posted.stamp().id();
            cells.computeIfAbsent(cell, absent -> new LinkedHashMap<>())
                    .computeIfAbsent(id, absent -> byPosting.computeIfAbsent(id, none -> new Open(posted)));
        });
    }

    private void written(String port, Filling.Run run, Known known) {
        known.key(port, run.key())
                .flatMap(region -> guards.place(region, run.address()))
                .ifPresent(first -> written(port, first.process(), first.address(), run.count()));
    }

    private void written(String port, String process, long address, int count) {
        cells.keySet()
                .removeIf(cell -> cell.port().equals(port)
                        && cell.process().equals(process)
                        && cell.address() < address + count
                        && cell.address() + Long.BYTES > address);
    }

    private void delivered(FabricEvent.Delivered delivered, Known known) {
        Packet packet = delivered.packet();
        Optional<HcaEvent.WorkPosted> posting =
                known.postingBehind(delivered.stamp().id());
        if (posting.isEmpty()) {
            return;
        }
        long id = posting.get().stamp().id();
        if (packet.operation().family() == Operation.Family.ATOMIC) {
            known.key(delivered.port(), packet.atomicEth().rkey())
                    .ifPresent(key -> meant(key, packet.atomicEth().address(), posting.get()));
        } else if (packet.operation() == Operation.ATOMIC_ACKNOWLEDGE) {
            Open open = byPosting.get(id);
            if (open != null && open.result.isEmpty()) {
                open.result = OptionalLong.of(packet.atomicAckEth().original());
            }
        }
    }

    @Override
    public void atQuiet(Known known, Report report) {
        cells.forEach((cell, open) -> {
            if (spoiled.contains(cell) || open.values().stream().anyMatch(each -> known.isDeceived(each.requester()))) {
                return;
            }
            List<AtomicHistory.Operation> operations = new ArrayList<>();
            open.values().forEach(each -> operations.add(operation(each)));
            if (!AtomicHistory.isLinearizable(operations)) {
                report.broken("the " + operations.size() + " atomics on " + cell
                        + " can't be put in one order that explains their results");
            }
        });
        cells.clear();
        spoiled.clear();
    }

    private static AtomicHistory.Operation operation(Open open) {
        long from = open.posted.stamp().id();
        boolean certain = open.completedAt != Long.MAX_VALUE;
        OptionalLong result = certain ? open.result : OptionalLong.empty();
        return switch (open.posted.work()) {
            case FetchAdd add -> AtomicHistory.Operation.add(add.add(), from, open.completedAt, result);
            case CompareAndSwap swap ->
                AtomicHistory.Operation.swap(swap.compare(), swap.swap(), from, open.completedAt, result);
            default -> throw new IllegalStateException(open.posted.work() + " is no atomic");
        };
    }
}
