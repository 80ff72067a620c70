// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.invariant.AtomicResult;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;
import org.jspecify.annotations.Nullable;

/**
 * Inline data in a completion equals the data that arrived, is written to memory in no other way, and is copied once, in order,
 * and not before the completion is in its queue (rules inline-receive, inline-poll).
 */
final class InlineCopies implements Invariant {
    /** The inline data of one completion. */
    private static final class Load {
        final HcaEvent.InlineReceived carried;
        boolean written;
        boolean refused;
        int done;

        Load(HcaEvent.InlineReceived carried) {
            this.carried = carried;
        }
    }

    private record Entry(QpName qp, long workId) {}

    /** By the id of the event that put the data into the completion. */
    private final Map<Long, Load> loads = TraceState.recent();

    /** By the id of the delivery event that brought the data. */
    private final Map<Long, Load> arrivals = TraceState.recent();

    private final Map<Entry, Deque<Load>> unwritten = TraceState.recent();

    @Override
    public String name() {
        return "inline-copies";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(
                HcaEvent.InlineReceived.class,
                HcaEvent.InlineCopied.class,
                HcaEvent.InlineCopyRefused.class,
                HcaEvent.EntryWritten.class,
                HcaEvent.MemoryWritten.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.InlineReceived carried -> carried(carried, traceState, report);
            case HcaEvent.MemoryWritten write -> {
                if (!write.remote() && arrivals.containsKey(write.stamp().cause())) {
                    report.broken(QpName.of(write) + " writes inline data of a completion to memory");
                }
            }
            case HcaEvent.EntryWritten written -> {
                Deque<Load> waiting =
                        unwritten.get(new Entry(QpName.of(written.port(), written.qp()), written.workId()));
                if (waiting != null) {
                    // Work requests may share a number, and an entry may be lost.
                    waiting.forEach(load -> load.written = true);
                    waiting.clear();
                }
            }
            case HcaEvent.InlineCopied copy -> copied(copy, report);
            case HcaEvent.InlineCopyRefused refused -> {
                Load load = load(refused, report);
                if (load != null) {
                    load.refused = true;
                }
            }
            default -> {}
        }
    }

    private void carried(HcaEvent.InlineReceived carried, TraceState traceState, Report report) {
        Load load = new Load(carried);
        QpName qp = QpName.of(carried);
        traceState
                .delivery(carried.stamp().cause())
                .map(FabricEvent.Delivered::packet)
                .filter(packet -> !arrivedData(packet).contains(carried.bytes()))
                .ifPresent(packet -> report.broken(
                        qp + " puts " + carried.bytes() + " into a completion, which are not the bytes of "
                                + packet.operation() + " psn " + packet.psn()));
        if (arrivals.put(carried.stamp().cause(), load) != null) {
            report.broken(qp + " puts one message into two completions");
        }
        loads.put(carried.stamp().id(), load);
        unwritten
                .computeIfAbsent(new Entry(qp, carried.workId()), none -> new ArrayDeque<>())
                .add(load);
    }

    // rule atomic-reply-order
    /** Returns the possible byte layouts of the data that arrived: for an atomic result, each layout it may have in memory. */
    private static List<Octets> arrivedData(Packet packet) {
        return packet.operation() == Operation.ATOMIC_ACKNOWLEDGE
                ? AtomicResult.layouts(packet)
                : List.of(packet.payload());
    }

    private void copied(HcaEvent.InlineCopied copy, Report report) {
        Load load = load(copy, report);
        if (load == null) {
            return;
        }
        Octets all = load.carried.bytes();
        int count = copy.bytes().length();
        if (load.refused) {
            report.broken(what(copy) + ", which was refused");
        } else if (count > all.length() - load.done) {
            report.broken(what(copy) + ", but only " + (all.length() - load.done) + " are left to copy");
        } else if (!all.slice(load.done, count).equals(copy.bytes())) {
            report.broken(what(copy) + ", but these are not the next bytes");
        }
        load.done += count;
    }

    private @Nullable Load load(HcaEvent event, Report report) {
        Load load = loads.get(event.stamp().cause());
        if (load != null && !load.written) {
            report.broken(QpName.of(event) + " copies the inline data of the completion of " + load.carried.workId()
                    + " before its entry is in the queue");
        }
        return load;
    }

    private static String what(HcaEvent.InlineCopied copy) {
        return QpName.of(copy) + " copies " + copy.bytes() + " of the completion of " + copy.workId();
    }
}
