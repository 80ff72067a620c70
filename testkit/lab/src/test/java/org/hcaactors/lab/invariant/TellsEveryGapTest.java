// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.invariant.HandMadeTrace.packet;

import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Ignored;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.packet.Opcode;
import org.junit.jupiter.api.Test;

class TellsEveryGapTest {
    private static final int FIRST = 100;

    private final HandMadeTrace trace = new HandMadeTrace(new TellsEveryGap(), QpType.RC);

    /** Its first packet is lost, and the one behind it is dropped. */
    private void dropsTheSecondPacketOfALife() {
        QpModify change = QpModify.to(QpState.RTR, new QpAttribute.ReceivePsn(FIRST));
        trace.tell(new HcaEvent.Modified(trace.next(), HandMadeTrace.PORT, HandMadeTrace.WHO, change));
        trace.tell(new HcaEvent.Discarded(
                trace.next(),
                HandMadeTrace.PORT,
                HandMadeTrace.WHO,
                packet(Opcode.RC_SEND_ONLY, HandMadeTrace.QP, FIRST + 1),
                Ignored.Plainly.NAK_IS_OUT));
    }

    @Test
    void aGapAtTheBeginningOfALifeIsToldInThatLife() {
        dropsTheSecondPacketOfALife();
        trace.quiet();
        assertThat(trace.stories()).singleElement().asString().contains("never told of the gap");
    }

    @Test
    void whoIsInErrorTellsNothing() {
        dropsTheSecondPacketOfALife();
        trace.state(QpState.RTR, QpState.ERR);
        trace.quiet();
        assertThat(trace.stories()).isEmpty();
    }
}
