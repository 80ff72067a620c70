// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.hcaactors.fabric.packet.Loan;
import org.hcaactors.fabric.packet.Octets;
import org.junit.jupiter.api.Test;

/** Loans of a queue pair. */
class LoansTest {
    private static final int LENGTH = 1 << 12;
    private static final int MAX = Loans.MAX_BYTES / LENGTH;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(LENGTH);
    private final Loans loans = new Loans();
    private final List<Octets> payloads = new ArrayList<>();

    private void lend(int times) {
        for (int i = 0; i < times; i++) {
            Loan loan = new Loan(memory, 0, LENGTH);
            payloads.add(loan.payload(1));
            loans.add(loan);
        }
    }

    private static void execute(Octets payload) {
        payload.store(0, ByteBuffer.allocate(LENGTH), 0, LENGTH);
    }

    private boolean isLent(int index) {
        memory.put(3, (byte) 7);
        boolean lent = payloads.get(index).at(3) == 7;
        memory.put(3, (byte) 0);
        return lent;
    }

    @Test
    void nothingMoreIsLentAtTheMaximum() {
        lend(MAX - 1);
        assertThat(loans.hasRoom()).isTrue();
        lend(1);
        assertThat(loans.hasRoom()).isFalse();
        assertThat(isLent(0)).isTrue();
    }

    /** Their packets were discarded, or wait for long. */
    @Test
    void loansThatDoNotReturnAreSettledAfterManyTurns() {
        lend(MAX);
        for (int i = 0; i < Loans.MAX_FULL_TURNS; i++) {
            loans.begin();
        }
        assertThat(loans.hasRoom()).isFalse();
        assertThat(isLent(0)).isTrue();
        loans.begin();
        assertThat(loans.hasRoom()).isTrue();
        assertThat(isLent(0)).isFalse();
        assertThat(isLent(MAX - 1)).isFalse();
    }

    @Test
    void executedPayloadsMakeRoom() {
        lend(MAX);
        execute(payloads.get(0));
        loans.begin();
        assertThat(loans.hasRoom()).isTrue();
        assertThat(isLent(1)).isTrue();
    }

    /** A copy of what is not read any more would cost something. */
    @Test
    void anExecutedPayloadIsNotCopied() {
        lend(2);
        execute(payloads.get(1));
        loans.settle();
        assertThat(isLent(0)).isFalse();
        assertThat(isLent(1)).isTrue();
    }
}
