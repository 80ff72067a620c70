// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.Optional;
import org.hcaactors.adapter.flow.Denial;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.lease.PageFault;
import org.hcaactors.api.error.VerbsException;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.fabric.packet.Packet;

/**
 * The half of a queue pair that asks: it turns requests into packets, and ends them. States, leases and flushing are the
 * queue pair's machine's.
 */
public interface Initiator {
    /** Asks for nothing. */
    Initiator NONE = new NoInitiator() {};

    /** Its peer's address is known, or has changed. Datagrams have none. */
    default void connect(Headers peer) {}

    /** The queue pair moves from RTR to RTS. */
    default void start() {}

    /** The queue pair comes back to RTS from the state that a failure of its own took it to (SQE). */
    default void recover() {}

    /** The retry counts may have changed. */
    default void modified() {}

    /** Why a response is dropped without a trace; empty if it is to be handled. */
    Optional<Reason> refusal(Packet packet, QpState state);

    /** An answer to a request; only one that is not refused. */
    default void response(Packet packet, Turn turn) {
        throw new IllegalArgumentException(packet.opcode() + " answers nothing here");
    }

    /**
     * Only in RTS and SQD.
     *
     * @param mayStart a request that was never started may be
     * @return packets sent, at most {@code budget}
     */
    int transmit(int budget, boolean mayStart, Turn turn);

    /** A lease that was waited for is there or was refused. */
    default void resume(Turn turn) {}

    /** What a request of its own asked for of a key is done or refused. */
    default void keyChanged(long ticket, Optional<Denial> refusal, Turn turn) {}

    /** Pages that it waited for are there or can't be had. */
    default void pagesServed(PageFault.Kind kind, long ticket, Optional<Denial> refusal, Turn turn) {}

    // rule dc-stream-reset
    /** A stream that is in error takes requests again; VerbsException (EINVAL) where there are no streams. */
    default void resetStream(int stream) {
        throw VerbsException.invalid("a queue pair without streams");
    }

    /** When {@link #timeout} has something to do; Long.MAX_VALUE for never. */
    default long nextDeadline() {
        return Long.MAX_VALUE;
    }

    default void timeout(Turn turn) {}

    /** Called when an input was handled: fails what can't go on. */
    SideStatus settle(Turn turn);

    /** Where a failed request takes the queue pair: ERR, or SQE where receiving goes on (IBA 10.3.1). */
    QpState afterFailure();

    /** A started request is not finished. */
    default boolean isBusy() {
        return false;
    }

    /** The PSN of the next request. */
    default int nextPsn() {
        return 0;
    }

    /** It waits out a receiver-not-ready NAK. */
    default boolean isBackingOff() {
        return false;
    }

    /** Nothing but its peer's answer ends its wait for that: it has no local ACK timeout. */
    default boolean hasNoTimeout() {
        return false;
    }

    /** Responses that wait for a lease. */
    default int packetsHeld() {
        return 0;
    }

    /** Forgets everything but the numbering. */
    default void quiesce() {}
}
