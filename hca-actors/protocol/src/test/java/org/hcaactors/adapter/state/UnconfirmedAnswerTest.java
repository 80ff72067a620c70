// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.flow.DependencyFailure;
import org.hcaactors.adapter.tag.TagEntry;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.device.AsyncEvent;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.memory.AccessFlags;
import org.hcaactors.api.queue.RcConnection;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.api.work.Send;
import org.junit.jupiter.api.Test;

// rules tag-returned, receive-last
/** Answers of a tag-matching queue that crash the queue pair. */
class UnconfirmedAnswerTest {
    private static final int QUEUE = 5;
    private static final int KEY = 0xA00_00;
    private static final int BYTES = TagHeader.BYTES + 8;
    private static final RcConnection TERMS = RcConnection.DEFAULT;

    private final Side a = new Side("a", 0x11, 1, Profile.CONNECTX_5, false);
    private final Side b = Side.tagged("b", 0x22, 2);

    /** Sends two messages, of which the second one must request a match when the first one has its own. */
    UnconfirmedAnswerTest() {
        b.grant(KEY, Side.SRQ_DOMAIN, 0, Side.MEMORY, AccessFlags.LOCAL_AND_REMOTE);
        Rig rig = new Rig(a, b);
        for (Side side : List.of(a, b)) {
            Side peer = side == a ? b : a;
            side.machine.modify(TERMS.toInit(), side.turn);
            side.machine.modify(TERMS.toRtr(new Gid(peer.port.high(), peer.port.low()), peer.number), side.turn);
            side.machine.modify(TERMS.toRts(), side.turn);
        }
        a.memory.write(0, TagHeader.eager(0, 7).bytes());
        a.post(Send.of(1, a.slice(0, BYTES)));
        a.post(Send.of(2, a.slice(0, BYTES)));
        rig.run();
        assertThat(b.sources.openings).hasSize(1);
        b.machine.leaseGranted(b.lease(KEY), b.at(0));
    }

    private TagMatch match(long id) {
        Receive receive = Receive.of(id, b.slice(KEY, 1024 * id, 1024));
        return new TagMatch.Expected(new TagEntry(7, receive, id, -1), TagHeader.eager(0, 7));
    }

    /** Acts as the actor does in a turn that crashes, before or after the machine received the answer. */
    private void crashes(boolean whenReceived) {
        int before = b.machine.srqAnswers();
        if (whenReceived) {
            b.machine.receiveMatched(match(1), b.turn);
        }
        b.machine.fail(DependencyFailure.ITS_ACTOR, b.turn);
        UnconfirmedAnswer.deliver(b.machine, before, () -> b.machine.receiveMatched(match(1), b.turn));
    }

    @Test
    void aReceivedAnswerIsNotThatOfTheNextRequest() {
        crashes(true);
        assertThat(b.sources.openings).as("it had requested again").hasSize(2);
        assertThat(b.sources.matchEnds).hasSize(1);
        assertThat(b.sources.matchesBack).isEmpty();
    }

    @Test
    void anAnswerThatWasNotReceivedStaysInItsQueue() {
        crashes(false);
        assertThat(b.sources.matchEnds).isEmpty();
        assertThat(b.sources.matchesBack).isEmpty();
        assertThat(b.sources.withdrawn).isOne();
        assertThat(b.events).contains(AsyncEvent.Kind.QP_LAST_WQE_REACHED);
    }
}
