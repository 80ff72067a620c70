// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.lease.Lease;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.adapter.tag.FetchOrder;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/** Inputs of a queue pair's machine that do not come from its program: packets, and answers of other objects. */
public sealed interface QueuePairInput extends QueuePairActor.Command, OwnedQueuePairCommand {
    /** Trace ids of a batch that is not traced. */
    long[] UNTRACED = {};

    /** Inputs without data. */
    enum Note implements QueuePairInput {
        /** The timer fired. */
        DUE,
        /** More packets are ready than one turn may send. */
        CONTINUE,
        CQ_FAILED,
        /** A packet with a wrong ICRC was dropped. */
        CORRUPTED,
        DEVICE_FAILED
    }

    /** @param from receive buffer to release when the packets are handled, if they were in one */
    record Arrived(
            Packet[] batch, long[] traceIds, @Nullable ReceiveBuffer from) implements QueuePairInput {}

    /** Packets were taken by the fabric: as many more may be sent. */
    record Credit(int packets) implements QueuePairInput {}

    /** A key's translator grants a lease. */
    record Granted(Lease lease) implements QueuePairInput {}

    /** A key's translator refuses a lease. */
    record Refused(int key, Denial reason) implements QueuePairInput {}

    /** A key's translator revokes a lease. */
    record Revoke(long grant) implements QueuePairInput {}

    /** A request's key change was executed or refused. */
    record KeyChanged(long ticket, Optional<Denial> refusal) implements QueuePairInput {}

    /** A key change by a peer's message was executed or refused. */
    record Invalidated(long ticket, Optional<Denial> refusal) implements QueuePairInput {}

    /**
     * Absent pages were brought in, or cannot be.
     *
     * @param event causing event, 0 if nothing is traced
     */
    record PagesServed(PageFault.Kind kind, long ticket, long event, Optional<Denial> refusal)
            implements QueuePairInput {}

    /**
     * Fetch the data of a rendezvous message from its sender.
     *
     * @param cause id of the causing event
     */
    record Fetch(FetchOrder order, long cause) implements QueuePairInput {}

    /** The shared receive queue of that number is in error. */
    record SharedFailed(int queue) implements QueuePairInput {}

    /** The shared receive queue of that number is being destroyed. */
    record SrqDestroying(int queue) implements QueuePairInput {}
}
