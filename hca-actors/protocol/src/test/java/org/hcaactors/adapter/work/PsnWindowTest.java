// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.adapter.state.Side;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.work.RdmaRead;
import org.hcaactors.api.work.Send;
import org.hcaactors.api.work.WorkRequest;
import org.junit.jupiter.api.Test;

/** PSNs of the requests in a ledger. */
class PsnWindowTest {
    private static final int LAST = 0xFF_FFFF;

    private final Side side = new Side("x", 1, 1, Profile.CONNECTX_5, false);
    private final SendLedger ledger = new SendLedger(new QpSettings(1, 1, false), 4);
    private final PsnWindow window = new PsnWindow(ledger);

    private void post(WorkRequest work, CompletionKind kind) {
        ledger.add(new PostedRequest(work, kind, 8, PostedRequest.Extras.NONE));
    }

    private void send(long id) {
        post(Send.of(id, side.slice(0, 8)), CompletionKind.SEND);
    }

    @Test
    void requestsAreNumberedOneBehindTheOtherAndTheNumbersWrap() {
        window.startAt(LAST - 1);
        send(1);
        send(2);
        window.start(3);
        window.start(1);
        assertThat(window.firstPsn(0)).isEqualTo(LAST - 1);
        assertThat(window.lastPsn(0)).isZero();
        assertThat(window.firstPsn(1)).isOne();
        assertThat(window.lastPsn(1)).isOne();
        assertThat(window.nextPsn()).isEqualTo(2);
        window.completeHead(side.turn);
        assertThat(window.unacknowledged()).isOne();
        assertThat(ledger.head()).isOne();
    }

    @Test
    void aRequestThatSendsNothingTakesNoNumberAndAcknowledgesNone() {
        window.startAt(7);
        send(1);
        send(2);
        window.start(0);
        window.start(2);
        assertThat(window.firstPsn(1)).isEqualTo(7);
        window.completeHead(side.turn);
        assertThat(window.unacknowledged()).isEqualTo(7);
        assertThat(window.nextPsn()).isEqualTo(9);
    }

    // rule rc-read-limit
    @Test
    void onlyReadsAndAtomicsThatWereStartedAndAreNotDoneCount() {
        post(RdmaRead.of(1, side.slice(0, 8), side.remote(0)), CompletionKind.RDMA_READ);
        send(2);
        assertThat(window.outstandingRdAtomic()).isZero();
        window.start(1);
        window.start(1);
        assertThat(window.outstandingRdAtomic()).isOne();
        window.completeHead(side.turn);
        assertThat(window.outstandingRdAtomic()).isZero();
    }

    @Test
    void theEndOfSentPacketsNeverMovesBack() {
        window.startAt(LAST);
        window.sentBelow(3);
        window.sentBelow(LAST);
        assertThat(window.sentEnd()).isEqualTo(3);
    }

    // rule rc-ghost
    @Test
    void outstandingPacketsAreSentAndNotAcknowledged() {
        window.startAt(LAST - 1);
        assertThat(window.isOutstanding(LAST - 1)).as("not sent yet").isFalse();
        window.sentBelow(2);
        window.acknowledgedBelow(LAST);
        assertThat(window.isOutstanding(LAST - 1)).as("acknowledged").isFalse();
        assertThat(window.isOutstanding(LAST)).isTrue();
        assertThat(window.isOutstanding(1)).isTrue();
        assertThat(window.isOutstanding(2)).as("one past the newest").isFalse();
    }
}
