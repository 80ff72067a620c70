// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import java.util.ArrayDeque;
import org.hcaactors.fabric.packet.Loan;

/**
 * Host memory of a queue pair's leases that is lent to packets, oldest first. When {@value #MAX_BYTES} bytes are lent, nothing
 * more is lent until packets are executed. Packets that their receiver discards never return their loans: what is lent after
 * {@value #MAX_FULL_TURNS} turns without room is settled.
 */
final class Loans {
    static final int MAX_BYTES = 1 << 21;
    static final int MAX_FULL_TURNS = 256;

    private final ArrayDeque<Loan> open = new ArrayDeque<>();
    private long bytes;
    private int fullTurns;

    /** A turn begins. */
    void begin() {
        removeOver();
        fullTurns = hasRoom() ? 0 : fullTurns + 1;
        if (fullTurns > MAX_FULL_TURNS) {
            settle();
        }
    }

    /** Removes the oldest loans whose packets were executed. */
    private void removeOver() {
        while (!open.isEmpty() && open.element().isOver()) {
            remove();
        }
    }

    boolean hasRoom() {
        return bytes < MAX_BYTES;
    }

    void add(Loan loan) {
        open.add(loan);
        bytes += loan.lengthBytes();
    }

    private Loan remove() {
        Loan oldest = open.remove();
        bytes -= oldest.lengthBytes();
        return oldest;
    }

    /** Copies what packets may still need: the right to the memory is about to end. */
    void settle() {
        while (!open.isEmpty()) {
            remove().settle();
        }
    }
}
