// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.hcaactors.adapter.flow.EventDetail;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

// rule firmware-restart
class RestartInvalidatesObjectsTest {
    private static final int KEY = 0x1200;
    private static final int OTHER = HandMadeTrace.QP + 1;

    private final HandMadeTrace trace = new HandMadeTrace(new RestartInvalidatesObjects(), QpType.RC);

    @BeforeEach
    void aQueuePairAndAKey() {
        trace.register(KEY);
        trace.state(QpState.RTR, QpState.RTS);
    }

    private void restart(String port) {
        trace.tell(new HcaEvent.Raised(
                trace.next(), port, new AsyncEvent(AsyncEvent.Kind.DEVICE_FATAL, 0), EventDetail.Plainly.POWER_CYCLE));
    }

    private void reads(int qp, int key) {
        trace.tell(new HcaEvent.MemoryRead(trace.next(), HandMadeTrace.PORT, Element.queuePair(qp), key, 0, 8, true));
    }

    private void sends() {
        trace.tell(new FabricEvent.Sent(
                trace.next(),
                HandMadeTrace.PORT,
                HandMadeTrace.WHO,
                HandMadeTrace.packet(Opcode.RC_SEND_ONLY, OTHER, 1)));
    }

    @Test
    void withoutARestartOfItsAdapterAQueuePairContinues() {
        restart("b");
        sends();
        reads(HandMadeTrace.QP, KEY);
        assertThat(trace.ended(1, 0, Status.SUCCESS).lull().stories()).isEmpty();
    }

    @Test
    void objectsCreatedAfterTheRestartAreRight() {
        restart(HandMadeTrace.PORT);
        trace.state(QpState.RTS, QpState.ERR);
        trace.tell(new HcaEvent.QueuePairCreated(
                trace.next(), HandMadeTrace.PORT, Element.queuePair(OTHER), QpType.RC, 1, 1, 1, OptionalInt.empty()));
        trace.register(0x5500);
        reads(OTHER, 0x5500);
        assertThat(trace.ended(1, 0, Status.WR_FLUSH_ERR).lull().stories()).isEmpty();
    }

    @Test
    void aQueuePairThatStaysInRtsIsFound() {
        restart(HandMadeTrace.PORT);
        assertThat(trace.lull().stories()).singleElement().asString().contains("a/qp17 is in RTS");
    }

    @Test
    void sendingCompletingOrLeavingErrAfterARestartIsFound() {
        restart(HandMadeTrace.PORT);
        sends();
        trace.ended(1, 0, Status.SUCCESS).state(QpState.RESET, QpState.INIT);
        assertThat(trace.stories())
                .satisfiesExactly(
                        sent -> assertThat(sent).contains("a/qp17 sends"),
                        done -> assertThat(done).contains("completes request 1 with SUCCESS"),
                        up -> assertThat(up).contains("changes to INIT"));
    }

    @Test
    void anOldKeyThatAllowsAccessAfterARestartIsFound() {
        restart(HandMadeTrace.PORT);
        reads(OTHER, KEY + 1);
        trace.tell(new HcaEvent.LeaseGranted(trace.next(), HandMadeTrace.PORT, Element.queuePair(OTHER), KEY));
        assertThat(trace.stories())
                .hasSize(2)
                .allSatisfy(story -> assertThat(story).contains("a/key 0x000012.. lets qp18"));
    }
}
