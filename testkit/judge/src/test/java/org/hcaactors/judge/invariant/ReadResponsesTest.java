// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hcaactors.lab.invariant.HandMadeTrace.packet;

import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.flow.Stamp;
import org.hcaactors.fabric.packet.ExtendedHeader;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Psn;
import org.hcaactors.fabric.packet.Syndrome;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.junit.jupiter.api.Test;

// rule rc-read-parts
class ReadResponsesTest {
    private static final int PEER = 99;
    private static final int FIRST = 0xFF_FF00;
    private static final int PACKETS = 8;
    /** More than are remembered. */
    private static final int MANY = 5000;
    /** As many as may be outstanding. */
    private static final int AT_A_TIME = 16;

    private static final ExtendedHeader[] NOTHING = {};
    private static final ExtendedHeader[] ACKNOWLEDGES = {new ExtendedHeader.Aeth(Syndrome.ACK, 0)};

    private final HandMadeTrace trace = new HandMadeTrace(new ReadResponses(), QpType.RC);

    private static int psn(int read, int packet) {
        return Psn.plus(FIRST, read * PACKETS + packet);
    }

    private void asks(long posting, int psn) {
        Stamp stamp = trace.next(posting, 0);
        ExtendedHeader asked = new ExtendedHeader.Reth(0x1000, 5, PACKETS * 1024);
        trace.tell(new FabricEvent.Sent(
                stamp, HandMadeTrace.PORT, HandMadeTrace.WHO, packet(Opcode.RC_READ_REQUEST, PEER, psn, asked)));
    }

    private void takes(Opcode part, int psn) {
        Stamp arrival = trace.next();
        ExtendedHeader[] says = part == Opcode.RC_READ_RESPONSE_MIDDLE ? NOTHING : ACKNOWLEDGES;
        trace.tell(new FabricEvent.Delivered(arrival, HandMadeTrace.PORT, packet(part, HandMadeTrace.QP, psn, says)));
        trace.tell(new HcaEvent.MemoryWritten(
                trace.next(arrival.id(), 0), HandMadeTrace.PORT, HandMadeTrace.WHO, 0x100, 0, Octets.NONE, false));
    }

    private void takesAll(int read) {
        takes(Opcode.RC_READ_RESPONSE_FIRST, psn(read, 0));
        for (int each = 1; each < PACKETS - 1; each++) {
            takes(Opcode.RC_READ_RESPONSE_MIDDLE, psn(read, each));
        }
        takes(Opcode.RC_READ_RESPONSE_LAST, psn(read, PACKETS - 1));
    }

    @Test
    void manyOverlappingReadsAreAnsweredCorrectly() {
        for (int read = 0; read < MANY; read++) {
            asks(trace.posted(read), psn(read, 0));
            if (read >= AT_A_TIME) {
                takesAll(read - AT_A_TIME);
            }
        }
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void aReadMayStartLongAfterItsPosting() {
        long posting = trace.posted(1);
        trace.outliveMemory();
        asks(posting, psn(0, 0));
        takesAll(0);
        assertThat(trace.stories()).isEmpty();
    }

    @Test
    void aResponseWithoutItsReadIsFoundAlsoAfterManyReads() {
        for (int read = 0; read < MANY; read++) {
            asks(trace.posted(read), psn(read, 0));
            takesAll(read);
        }
        asks(trace.posted(MANY), psn(MANY, 0));
        takes(Opcode.RC_READ_RESPONSE_FIRST, psn(MANY, 1));
        takes(Opcode.RC_READ_RESPONSE_MIDDLE, psn(MANY, 0));
        assertThat(trace.stories()).hasSize(2);
        assertThat(trace.stories().getFirst()).contains("but no READ begins there");
        assertThat(trace.stories().getLast()).contains("instead of the first response");
    }

    @Test
    void aResumedReadMayStartWithAFirstResponse() {
        long posting = trace.posted(1);
        asks(posting, psn(0, 0));
        takes(Opcode.RC_READ_RESPONSE_FIRST, psn(0, 0));
        asks(posting, psn(0, 1));
        takes(Opcode.RC_READ_RESPONSE_FIRST, psn(0, 1));
        assertThat(trace.stories()).isEmpty();
    }
}
