// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.ArrayDeque;
import java.util.NoSuchElementException;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Packets of one direction that wait, in order, for a lease: at most one window of packets. Further packets are dropped, as by
 * a full receive buffer.
 */
public final class Suspension {
    /** @param cause the event of its arrival, 0 if nothing is traced */
    private record Arrived(Packet packet, long cause) {}

    private @Nullable ArrayDeque<Arrived> waiting;

    public boolean isEmpty() {
        return waiting == null || waiting.isEmpty();
    }

    public int size() {
        return waiting == null ? 0 : waiting.size();
    }

    /**
     * Holds the packet behind the others, or drops it if the maximum is reached (rule memory-waiting-bounded).
     *
     * @param full the reason if it is dropped
     */
    public void hold(Packet packet, Ignored full, Turn turn) {
        if (waiting == null) {
            waiting = new ArrayDeque<>();
        }
        if (waiting.size() < PsnWindow.MAX_PACKETS) {
            waiting.add(new Arrived(packet, turn.input()));
        } else {
            turn.discarded(packet, full);
        }
    }

    /** Returns the oldest packet, which the turn handles from now on; call it only if there is one. */
    public Packet first(Turn turn) {
        Arrived first = queue().element();
        turn.handles(first.cause);
        return first.packet;
    }

    public void removeFirst() {
        queue().remove();
    }

    public void clear() {
        waiting = null;
    }

    private ArrayDeque<Arrived> queue() {
        if (waiting == null) {
            throw new NoSuchElementException("no work is suspended");
        }
        return waiting;
    }
}
