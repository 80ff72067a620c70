// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.concurrent.atomic.AtomicInteger;
import org.hcaactors.actors.stage.Mailbox;
import org.hcaactors.adapter.counter.PortCounters;
import org.hcaactors.adapter.flow.AdapterTrace;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.TraceSink;
import org.hcaactors.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

// rule qp-receive-buffer
/**
 * Batches arrive from several senders while the queue pair handles one: the number of waiting packets never exceeds the limit.
 */
@Param(name = "packets", gen = IntGen.class, conf = "1:4096")
@Tag("judge")
public class ReceiveBufferThreadsTest {
    private final ReceiveBuffer buffer = new ReceiveBuffer(
            new QueuePairReference(new Mailbox<>()),
            Element.queuePair(17),
            new AdapterTrace(TraceSink.NONE, () -> 0, "b"),
            new PortCounters(),
            false,
            new AtomicInteger());

    @Operation
    public boolean takes(int packets) {
        return buffer.takes(packets);
    }

    /** Only packets that were accepted leave. */
    @Operation(nonParallelGroup = "queue pair")
    public void leaves(int packets) {
        buffer.leaves(packets);
    }

    @Operation
    public int waiting() {
        return buffer.waiting().get();
    }

    @Test
    void twoConcurrentBatchesDoNotBothTakeTheLastPlace() {
        Interleavings.of(ReceiveBufferThreadsTest.class)
                .before("takes 4000")
                .thread("takes 64")
                .thread("takes 64", "takes 32")
                .after("waiting")
                .inAnyOrder();
    }

    @Test
    void aReleasedPlaceCanBeTakenAgain() {
        Interleavings.of(ReceiveBufferThreadsTest.class)
                .before("takes 4032", "takes 64")
                .thread("leaves 64")
                .thread("takes 64")
                .thread("takes 64")
                .after("waiting", "takes 64")
                .inAnyOrder();
    }
}
