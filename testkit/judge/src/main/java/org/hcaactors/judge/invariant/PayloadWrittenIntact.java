// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import java.util.List;
import java.util.Optional;
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

/**
 * The bytes that an arriving packet writes to memory are those of its payload, in order; for the answer to an atomic, those of
 * the original value, each word with its most significant byte first or last. Receives with a GRH before the payload are not
 * checked.
 */
final class PayloadWrittenIntact implements Invariant {
    private long current;
    private int done;

    @Override
    public String name() {
        return "payload-written-intact";
    }

    @Override
    public Set<Class<? extends TraceEvent>> kinds() {
        return Set.of(HcaEvent.MemoryWritten.class);
    }

    @Override
    public void on(TraceEvent event, TraceState traceState, Report report) {
        if (!(event instanceof HcaEvent.MemoryWritten write)) {
            return;
        }
        Optional<FabricEvent.Delivered> arrival =
                traceState.delivery(write.stamp().cause());
        boolean carries = arrival.isPresent()
                && arrival.get().packet().opcode().carriesPayload()
                && traceState
                        .queuePair(QpName.of(write))
                        .map(qp -> !qp.receivesGrh())
                        .orElse(false);
        if (!carries) {
            return;
        }
        if (current != write.stamp().cause()) {
            current = write.stamp().cause();
            done = traceState.tags().takenOff(arrival.get(), traceState);
        }
        Packet packet = arrival.get().packet();
        List<Octets> allowed = packet.operation() == Operation.ATOMIC_ACKNOWLEDGE
                ? AtomicResult.layouts(packet)
                : List.of(packet.payload());
        int count = write.bytes().length();
        if (allowed.stream().noneMatch(whole -> holds(whole, write.bytes()))) {
            report.broken(
                    write.port() + "/" + write.element() + " writes " + count + " bytes that differ from those at "
                            + done + " of the packet that it answers, psn "
                            + arrival.get().packet().psn());
        }
        done += count;
    }

    private boolean holds(Octets whole, Octets part) {
        return done + part.length() <= whole.length()
                && whole.slice(done, part.length()).equals(part);
    }
}
