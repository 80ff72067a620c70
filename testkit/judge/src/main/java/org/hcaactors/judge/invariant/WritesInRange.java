// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.invariant.Invariant;
import org.hcaactors.lab.invariant.QpName;
import org.hcaactors.lab.invariant.TraceState;

/**
 * The packets of an RDMA WRITE fill the range that the first one names, in order, and the last one fills it to the end (rule
 * rc-lengths; IBA 9.7.4.1.6, 9.8). The sender does not matter: each packet is checked by its contents.
 */
final class WritesInRange implements Invariant {
    /** The part of the range that is not yet written. */
    private record Rest(long address, long end) {}

    private final Map<QpName, Rest> open = new LinkedHashMap<>();

    @Override
    public String name() {
        return "writes-in-range";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(HcaEvent.MemoryWritten.class, HcaEvent.StateChanged.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        switch (event) {
            case HcaEvent.MemoryWritten write when write.remote() -> written(write, traceState, report);
            case HcaEvent.StateChanged changed when changed.to() == QpState.RESET -> open.remove(QpName.of(changed));
            default -> {}
        }
    }

    private void written(HcaEvent.MemoryWritten write, TraceState traceState, Report report) {
        Optional<Packet> arrival = traceState
                .delivery(write.stamp().cause())
                .map(FabricEvent.Delivered::packet)
                .filter(packet -> packet.operation().isWrite());
        QpName qp = QpName.of(write);
        arrival.ifPresent(packet -> {
            if (packet.operation().starts()) {
                ExtendedHeader.Reth where = packet.reth();
                open.put(qp, new Rest(where.address(), where.address() + where.lengthUnsigned()));
            }
            Rest rest = open.remove(qp);
            if (rest != null) {
                part(qp, packet, write, rest, report);
            }
        });
    }

    private void part(QpName qp, Packet packet, HcaEvent.MemoryWritten write, Rest rest, Report report) {
        long end = write.address() + write.bytes().length();
        // Compared as lengths: a range may end at the end of the address space.
        if (write.address() != rest.address || write.bytes().length() > rest.end - rest.address) {
            report.broken(
                    what(qp, packet, write) + ", but only 0x%x to 0x%x is left".formatted(rest.address, rest.end));
        } else if (packet.operation().ends() && end != rest.end) {
            report.broken(what(qp, packet, write) + ", but its message ends at 0x%x".formatted(rest.end));
        } else {
            open.put(qp, new Rest(end, rest.end));
        }
    }

    private static String what(QpName qp, Packet packet, HcaEvent.MemoryWritten write) {
        return "%s: %s psn %d writes 0x%x to 0x%x"
                .formatted(
                        qp,
                        packet.operation(),
                        packet.psn(),
                        write.address(),
                        write.address() + write.bytes().length());
    }
}
