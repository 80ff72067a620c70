package org.hcaactors.lab.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.invariant.HandMadeTrace.packet;

import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpAttribute;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.junit.jupiter.api.Test;

class SequenceNumbersTest {
    private static final int FIRST = 100;
    private static final int PEER = 99;

    private final HandMadeTrace trace = new HandMadeTrace(new SequenceNumbers(), QpType.RC);

    private void connect() {
        QpModify change = QpModify.to(QpState.RTS, new QpAttribute.SendPsn(FIRST));
        trace.tell(new HcaEvent.Modified(trace.next(), HandMadeTrace.PORT, HandMadeTrace.QP, change));
    }

    /** What an answer to the first PSN brings is written to memory. */
    private Stamp takesAnAnswer() {
        Stamp arrival = trace.next();
        trace.tell(new FabricEvent.Delivered(
                arrival, HandMadeTrace.PORT, packet(Opcode.RC_READ_RESPONSE_MIDDLE, HandMadeTrace.QP, FIRST)));
        Stamp effect = trace.next(arrival.id(), 0);
        trace.tell(
                new HcaEvent.MemoryWritten(effect, HandMadeTrace.PORT, HandMadeTrace.QP, 0x100, 0, Octets.NONE, false));
        return effect;
    }

    private void sends(long posting, long now) {
        Stamp stamp = new Stamp(trace.next().id(), now, posting, 0);
        trace.tell(new FabricEvent.Sent(stamp, HandMadeTrace.PORT, packet(Opcode.RC_SEND_ONLY, PEER, FIRST)));
    }

    @Test
    void anAnswerToWhatReachesTheCableInTheSameInstantIsRight() {
        connect();
        long posting = trace.posted(1);
        Stamp effect = takesAnAnswer();
        sends(posting, effect.nanos());
        trace.state(QpState.RTS, QpState.SQD);
        trace.quiet();
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void anAnswerToWhatIsSentLaterIsFound() {
        connect();
        long posting = trace.posted(1);
        Stamp effect = takesAnAnswer();
        sends(posting, effect.nanos() + 1);
        assertThat(trace.stories()).singleElement().asString().contains("but " + FIRST + " is not sent yet");
    }

    @Test
    void anAnswerToWhatIsNeverSentIsFoundAtRest() {
        connect();
        takesAnAnswer();
        trace.quiet();
        assertThat(trace.stories()).singleElement().asString().contains("is not sent yet");
    }
}
