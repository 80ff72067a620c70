// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalInt;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.adapter.flow.StateReason;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.work.Send;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.junit.jupiter.api.Test;

/** Uses two connected queue pairs: a/qp17 and b/qp18. */
class BelievedForgeriesTest {
    private static final QpName A = QpName.of("a", 17);
    private static final QpName B = QpName.of("b", 18);

    private final TraceState traceState = new TraceState(name -> Optional.empty());
    private long lastId;

    BelievedForgeriesTest() {
        for (QpName each : new QpName[] {A, B}) {
            traceState.note(new HcaEvent.QueuePairCreated(
                    next(0), each.port(), each.element(), QpType.RC, 1, 1, 1, OptionalInt.empty()));
        }
        talk();
    }

    private Stamp next(long cause) {
        return new Stamp(++lastId, lastId, cause, 0);
    }

    private static Packet request(QpName to) {
        return HandMadeTrace.packet(Opcode.RC_SEND_ONLY, to.number(), 0);
    }

    private void talk() {
        Stamp posted = next(0);
        traceState.note(new HcaEvent.WorkPosted(posted, A.port(), A.element(), Send.of(1), true));
        Stamp sent = next(posted.id());
        traceState.note(new FabricEvent.Sent(sent, A.port(), A.element(), request(B)));
        traceState.note(new FabricEvent.Delivered(next(sent.id()), B.port(), request(B)));
    }

    private long forgedAt(QpName name) {
        Stamp forged = next(0);
        traceState.note(new FabricEvent.Forged(forged, name.port(), request(name), Octets.NONE, "by a test"));
        Stamp arrival = next(forged.id());
        traceState.note(new FabricEvent.Delivered(arrival, name.port(), request(name)));
        return arrival.id();
    }

    private void ignores(QpName name, long arrival) {
        traceState.note(new HcaEvent.Discarded(
                next(arrival), name.port(), name.element(), request(name), new Reason.Unknown("by a test")));
    }

    private void isReset(QpName name) {
        traceState.note(new HcaEvent.StateChanged(
                next(0), name.port(), name.element(), QpState.RTS, QpState.RESET, StateReason.MODIFIED));
    }

    @Test
    void aQueuePairThatAcceptsAForgeryIsDeceivedAndItsPeerToo() {
        forgedAt(B);
        assertThat(traceState.isDeceived(B)).isTrue();
        assertThat(traceState.isDeceived(A)).isTrue();
    }

    @Test
    void aQueuePairThatIgnoresAForgeryIsNotDeceived() {
        ignores(B, forgedAt(B));
        assertThat(traceState.isDeceived(B)).isFalse();
        assertThat(traceState.isDeceived(A)).isFalse();
    }

    @Test
    void aResetEndsTheDeception() {
        forgedAt(B);
        isReset(B);
        assertThat(traceState.isDeceived(B)).isFalse();
    }

    @Test
    void aPeerStaysDeceivedUntilItsOwnReset() {
        forgedAt(B);
        isReset(B);
        assertThat(traceState.isDeceived(A)).isTrue();
        isReset(A);
        talk();
        assertThat(traceState.isDeceived(A)).isFalse();
        assertThat(traceState.isDeceived(B)).isFalse();
    }

    @Test
    void aForgeryDoesNotDeceiveThePeerOfAnEndedConnection() {
        isReset(A);
        forgedAt(B);
        assertThat(traceState.isDeceived(A)).isFalse();
    }

    @Test
    void forgeriesBeyondTheLimitCountAsAccepted() {
        long first = lastId;
        for (int i = 0; i < 1000; i++) {
            forgedAt(B);
        }
        long last = lastId;
        for (long arrival = first; arrival <= last; arrival++) {
            ignores(B, arrival);
        }
        assertThat(traceState.isDeceived(B)).isTrue();
    }
}
