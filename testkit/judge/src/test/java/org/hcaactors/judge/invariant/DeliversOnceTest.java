// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.hcaactors.adapter.flow.HcaEvent;
import org.hcaactors.api.completion.CompletionKind;
import org.hcaactors.api.completion.Status;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.fabric.flow.Element;
import org.hcaactors.fabric.flow.FabricEvent;
import org.hcaactors.fabric.packet.Opcode;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.lab.invariant.HandMadeTrace;
import org.junit.jupiter.api.Test;

/** One queue pair that sends to itself. */
class DeliversOnceTest {
    private static final Packet MESSAGE = HandMadeTrace.packet(Opcode.RC_SEND_ONLY, HandMadeTrace.QP, 0);

    private final HandMadeTrace rc = new HandMadeTrace(new DeliversOnce(), QpType.RC);
    private final HandMadeTrace ud = new HandMadeTrace(new DeliversOnce(), QpType.UD);

    /** The message of that posting arrives, and takes a receive. */
    private static void arrives(HandMadeTrace trace, long posting, int lengthBytes) {
        var sent = trace.next(posting, 0);
        trace.tell(new FabricEvent.Sent(sent, HandMadeTrace.PORT, HandMadeTrace.WHO, MESSAGE));
        var arrived = trace.next(sent.id(), 0);
        trace.tell(new FabricEvent.Delivered(arrived, HandMadeTrace.PORT, MESSAGE));
        WorkCompletion received = WorkCompletion.of(
                5, Status.SUCCESS, CompletionKind.RECV, HandMadeTrace.QP, lengthBytes, OptionalInt.empty());
        trace.tell(new HcaEvent.Completed(
                trace.next(arrived.id(), 0), HandMadeTrace.PORT, Element.completionQueue(1), received));
    }

    private void arrives(long posting) {
        arrives(rc, posting, 0);
    }

    @Test
    void messagesInOrderAreRight() {
        arrives(rc.posted(1));
        arrives(rc.posted(2));
        assertThat(rc.stories()).isEmpty();
    }

    @Test
    void aMessageDeliveredTwiceIsFound() {
        long first = rc.posted(1);
        arrives(first);
        arrives(first);
        assertThat(rc.stories()).singleElement().asString().contains("message 1", "is delivered twice");
    }

    @Test
    void aMessageDeliveredAgainAfterOthersIsFound() {
        long first = rc.posted(1);
        long second = rc.posted(2);
        arrives(first);
        arrives(second);
        arrives(first);
        assertThat(rc.stories()).singleElement().asString().contains("message 1", "is delivered twice");
    }

    @Test
    void aMessageDeliveredAfterALaterOneIsFound() {
        long first = rc.posted(1);
        long second = rc.posted(2);
        arrives(second);
        arrives(first);
        assertThat(rc.stories()).singleElement().asString().contains("message 1", "after a later one");
    }

    @Test
    void datagramsMayBeDuplicatedAndReordered() {
        long first = ud.posted(1);
        long second = ud.posted(2);
        arrives(ud, second, 40);
        arrives(ud, first, 40);
        arrives(ud, first, 40);
        assertThat(ud.stories()).isEmpty();
    }
}
