// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import java.util.Optional;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.TraceEvent;
import org.hcaactors.fabric.packet.Octets;

/** What a packet's arrival writes into memory are the bytes of its payload, in their order. */
final class WritesWhatArrived implements Invariant {
    private long current;
    private int done;

    @Override
    public String name() {
        return "writes-what-arrived";
    }

    @Override
    public void on(TraceEvent event, Known known, Report report) {
        if (!(event instanceof HcaEvent.MemoryWritten write)) {
            return;
        }
        Optional<FabricEvent.Delivered> arrival = known.delivery(write.stamp().cause());
        boolean carries = arrival.isPresent()
                && arrival.get().packet().opcode().carriesPayload()
                && known.queuePair(QpName.of(write)).map(qp -> !qp.isUd()).orElse(false);
        if (!carries) {
            return;
        }
        if (current != write.stamp().cause()) {
            current = write.stamp().cause();
            done = 0;
        }
        Octets payload = arrival.get().packet().payload();
        int count = write.bytes().length();
        if (done + count > payload.length() || !payload.slice(done, count).equals(write.bytes())) {
            report.broken(write.port() + "/" + write.who() + " writes " + count + " bytes that are not those at "
                    + done + " of the packet that it answers, psn "
                    + arrival.get().packet().psn());
        }
        done += count;
    }
}
