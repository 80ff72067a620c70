// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.work.Destination;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.queue.QpState;
import org.hcaactors.api.queue.QpType;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.Test;

/** A queue pair crashes in the turn that delivers a receive of a shared receive queue. */
// rules receive-returned, receive-last, event-crash
class UnconfirmedAnswerTest {
    private static final int QUEUE = 5;
    private static final int OTHER = 6;
    private static final int KEY = 0xA00_00;
    private static final RcConnection TERMS = RcConnection.DEFAULT;

    private static Gid gid(Side side) {
        return new Gid(side.port.high(), side.port.low());
    }

    /** Acts as the actor does in a turn that crashes, before or after the machine received the answer. */
    private static void crashes(Side side, int queue, Receive receive, boolean whenHeard) {
        int before = side.machine.srqAnswers();
        if (whenHeard) {
            side.machine.receiveGranted(queue, receive, side.turn);
        }
        side.machine.fail(DependencyFailure.ITS_ACTOR, side.turn);
        UnconfirmedAnswer.deliver(side.machine, before, () -> side.machine.receiveGranted(queue, receive, side.turn));
    }

    private static Receive buffer(Side side, long id) {
        return Receive.of(id, side.slice(KEY, 1024 * id, 1024));
    }

    /** Sends two messages, of which the second one must request a receive when the first one has its own. */
    private static Side awaitingOneOfTwo() {
        Side a = new Side("a", 0x11, 1, Profile.CONNECTX_5, false);
        Side b = new Side("b", 0x22, 2, QpType.RC, true, Profile.CONNECTX_5, false);
        b.grant(KEY, Side.SRQ_DOMAIN, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        Rig rig = new Rig(a, b);
        for (Side side : List.of(a, b)) {
            side.machine.modify(TERMS.toInit(), side.turn);
            Side peer = side == a ? b : a;
            side.machine.modify(TERMS.toRtr(gid(peer), peer.number), side.turn);
            side.machine.modify(TERMS.toRts(), side.turn);
        }
        b.srq.add(buffer(b, 1));
        a.post(Send.of(1, a.slice(0, 8)));
        rig.run();
        a.post(Send.of(2, a.slice(0, 8)));
        a.post(Send.of(3, a.slice(0, 8)));
        a.machine.transmit(64, a.at(0));
        a.out.forEach(packet -> b.machine.receive(packet, b.at(0)));
        assertThat(b.takes).isOne();
        return b;
    }

    private static List<Long> received(Side side) {
        return side.receives.stream().map(WorkCompletion::workId).toList();
    }

    @Test
    void anAnswerReceivedBeforeACrashIsNotThatOfTheNextRequest() {
        Side b = awaitingOneOfTwo();
        crashes(b, Side.SRQ, buffer(b, 2), true);
        assertThat(b.takes).as("it had asked again").isEqualTo(2);
        assertThat(received(b)).containsExactly(1L, 2L);
        assertThat(b.events).as("another receive is on its way").doesNotContain(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
    }

    @Test
    void anAnswerLostInACrashIsFlushed() {
        Side b = awaitingOneOfTwo();
        crashes(b, Side.SRQ, buffer(b, 2), false);
        assertThat(received(b)).containsExactly(1L, 2L);
        assertThat(b.events).contains(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
    }

    // rule xrc-completion
    @Test
    void anAnswerReceivedBeforeACrashIsNotThatOfAnotherQueue() {
        Side asks = new Side("a", 0x11, 1, QpType.XRC_INI, false, Profile.CONNECTX_5, true);
        Side asked = new Side("b", 0x22, 2, QpType.XRC_TGT, false, Profile.CONNECTX_5, false);
        for (int queue : List.of(QUEUE, OTHER)) {
            asked.offers(queue, 10);
        }
        asked.grant(KEY, 10, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        for (int queue : List.of(QUEUE, OTHER)) {
            connect(asks, asked);
            asks.post(Send.of(queue, asks.slice(0, 8)), Destination.Named.sharedReceives(queue));
            new Rig(asks, asked).run(asks);
            asked.machine.receive(asks.out.remove(), asked.at(0));
            asks.machine.modify(QpModify.to(QpState.RESET), asks.turn);
            if (queue == QUEUE) {
                asked.machine.modify(QpModify.to(QpState.RESET), asked.turn);
            }
        }
        assertThat(asked.namedTakes).containsExactly(QUEUE, OTHER);
        crashes(asked, OTHER, buffer(asked, 7), true);
        assertThat(Objects.requireNonNull(asked.namedCompletions.get(OTHER)))
                .extracting(WorkCompletion::workId)
                .containsExactly(7L);
    }

    private static void connect(Side asks, Side asked) {
        asks.machine.modify(TERMS.toInit(), asks.turn);
        asks.machine.modify(TERMS.toRtrAsRequester(gid(asked), asked.number), asks.turn);
        asks.machine.modify(TERMS.toRts(), asks.turn);
        asked.machine.modify(TERMS.toInit(), asked.turn);
        asked.machine.modify(TERMS.toRtr(gid(asks), asks.number), asked.turn);
    }
}
