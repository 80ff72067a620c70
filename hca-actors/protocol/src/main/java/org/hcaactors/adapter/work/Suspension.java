// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.ArrayDeque;
import java.util.NoSuchElementException;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.fabric.packet.Packet;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of one direction that wait, in order, until a lease is there: at most a window of packets. One more is
 * dropped, as a full receive buffer drops it.
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
     * The packet waits behind the others; it is dropped if as much waits already as may (rule memory-waiting-bounded).
     *
     * @param full why it is dropped then
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

    /** The oldest, which the turn handles from now on; only if there is one. */
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
            throw new NoSuchElementException("nothing waits");
        }
        return waiting;
    }
}
