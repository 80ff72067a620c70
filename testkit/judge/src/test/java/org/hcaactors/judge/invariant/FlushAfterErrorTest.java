// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import org.hcaactors.api.completion.Status;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FlushAfterErrorTest {
    private final HandMadeTrace rc = new HandMadeTrace(new FlushAfterError(), QpType.RC);
    private final HandMadeTrace ud = new HandMadeTrace(new FlushAfterError(), QpType.UD);

    @Test
    void flushesAfterAnErrorAreRight() {
        long first = rc.posted(1);
        long second = rc.posted(2);
        rc.ended(1, first, Status.LOC_PROT_ERR).state(QpState.RTS, QpState.ERR).ended(2, second, Status.WR_FLUSH_ERR);
        assertThat(rc.stories()).isEmpty();
    }

    @Test
    void aSuccessAfterAnErrorIsFoundBeforeTheStateChange() {
        long first = rc.posted(1);
        long second = rc.posted(2);
        rc.ended(1, first, Status.LOC_PROT_ERR).ended(2, second, Status.SUCCESS);
        assertThat(rc.stories()).singleElement().asString().contains("request 2", "after 1", "LOC_PROT_ERR");
    }

    @Test
    void aSecondErrorOfItsOwnIsFound() {
        long first = rc.posted(1);
        long second = rc.posted(2);
        rc.ended(1, first, Status.LOC_PROT_ERR).ended(2, second, Status.RETRY_EXC_ERR);
        assertThat(rc.stories()).singleElement().asString().contains("RETRY_EXC_ERR");
    }

    @Test
    void aSuccessBehindAFlushIsFound() {
        long first = rc.posted(1);
        long second = rc.posted(2);
        rc.ended(1, first, Status.WR_FLUSH_ERR).ended(2, second, Status.SUCCESS);
        assertThat(rc.stories()).hasSize(1);
    }

    @Test
    void afterResetBothQueuesStartAgain() {
        rc.ended(1, rc.posted(1), Status.REM_ACCESS_ERR).received(5, Status.WR_FLUSH_ERR);
        rc.state(QpState.ERR, QpState.RESET);
        rc.ended(2, rc.posted(2), Status.SUCCESS).received(6, Status.SUCCESS);
        assertThat(rc.stories()).isEmpty();
    }

    @Test
    void aRequestPostedBeforeTheResetNeverSucceeds() {
        long lost = rc.posted(1);
        rc.ended(0, rc.posted(0), Status.REM_ACCESS_ERR).state(QpState.ERR, QpState.RESET);
        rc.ended(1, lost, Status.SUCCESS);
        assertThat(rc.stories()).singleElement().asString().contains("before the queue recovered");
    }

    @Test
    void aFailedSendQueueDoesNotAffectReceives() {
        ud.ended(1, ud.posted(1), Status.LOC_PROT_ERR).state(QpState.RTS, QpState.SQE);
        ud.received(5, Status.SUCCESS);
        assertThat(ud.stories()).isEmpty();
    }

    @Test
    void theSendQueueOfADatagramRecoversFromSqe() {
        long flushed = ud.posted(1);
        ud.ended(0, ud.posted(0), Status.LOC_PROT_ERR).state(QpState.RTS, QpState.SQE);
        ud.state(QpState.SQE, QpState.RTS).ended(2, ud.posted(2), Status.SUCCESS);
        assertThat(ud.stories()).isEmpty();
        ud.ended(1, flushed, Status.SUCCESS);
        assertThat(ud.stories()).hasSize(1);
    }

    @Test
    void aReceiveBehindAFailedOneIsFound() {
        rc.received(5, Status.LOC_LEN_ERR).received(6, Status.SUCCESS);
        assertThat(rc.stories()).singleElement().asString().contains("receive 6", "after 5");
    }

    /**
     * Its receive is from a shared queue, or is too short; the next message is not affected (rules uc-receive-goes-back,
     * uc-send-too-long).
     */
    @ParameterizedTest
    @EnumSource(
            value = Status.class,
            names = {"LOC_LEN_ERR", "REM_INV_REQ_ERR"})
    void aDatagramTooLongFailsItsReceiveOnly(Status status) {
        ud.received(5, status).received(6, Status.SUCCESS);
        assertThat(ud.stories()).isEmpty();
        ud.received(7, Status.LOC_PROT_ERR).received(8, Status.SUCCESS);
        assertThat(ud.stories()).hasSize(1);
    }
}
