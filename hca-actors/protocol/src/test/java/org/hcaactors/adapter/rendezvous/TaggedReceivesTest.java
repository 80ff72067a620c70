// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hcaactors.adapter.lease.KeyUser;
import org.hcaactors.adapter.lease.LeaseCache;
import org.hcaactors.adapter.state.Side;
import org.hcaactors.adapter.tag.TagEntry;
import org.hcaactors.adapter.tag.TagMatch;
import org.hcaactors.adapter.tag.TagOpening;
import org.hcaactors.adapter.work.Headers;
import org.hcaactors.adapter.work.LocalMemory;
import org.hcaactors.adapter.work.PageWaits;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.adapter.work.Receives.Supply;
import org.hcaactors.api.address.Gid;
import org.hcaactors.api.address.GlobalRoute;
import org.hcaactors.api.device.Profile;
import org.hcaactors.api.tag.TagHeader;
import org.hcaactors.api.work.Receive;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.fabric.packet.Operation;
import org.hcaactors.fabric.packet.Packet;
import org.hcaactors.fabric.packet.TransportClass;
import org.junit.jupiter.api.Test;

/** The receive that a queue pair of a tag-matching queue gives to each message, also after a reset. */
class TaggedReceivesTest {
    private static final int NUMBER = 0x22;
    private static final int QUEUE = 1;

    private final Side side = new Side("x", NUMBER, 1, Profile.CONNECTX_5, false);
    private final TaggedReceives place = TaggedReceives.delegating(
            side.sources.tags(), new LocalMemory(new KeyUser(1, NUMBER), new LeaseCache(), PageWaits.NONE), 1 << 20);

    private Packet eager(long tag) {
        return message(TagHeader.eager(0, tag).bytes());
    }

    private Packet message(byte... payload) {
        GlobalRoute path = GlobalRoute.to(new Gid(side.port.high(), side.port.low()));
        return Headers.ofConnection(new QpSettings(NUMBER, 1, false), side.local, path, true, TransportClass.RC)
                .packet(Operation.SEND_ONLY, 1, true, false, List.of(), Octets.copyOf(payload));
    }

    private static TagMatch matchOf(long tag) {
        return new TagMatch.Expected(new TagEntry(tag, Receive.of(tag), tag, -1), TagHeader.eager(0, tag));
    }

    // rule tag-returned
    @Test
    void anEntryMatchedBeforeAResetIsNotGivenToALaterMessage() {
        assertThat(place.supply(eager(5), side.turn)).isEqualTo(Supply.AWAITING);
        place.clear(side.turn);
        place.clear(side.turn);
        assertThat(place.supply(eager(6), side.turn)).isEqualTo(Supply.AWAITING);
        place.matched(matchOf(5));
        assertThat(side.sources.withdrawn)
                .as("once, and its result is not awaited")
                .isEqualTo(1);
        assertThat(side.sources.matchesBack).isEmpty();
        assertThat(place.hasNext()).isFalse();
        assertThat(place.supply(eager(6), side.turn)).isEqualTo(Supply.AWAITING);
        assertThat(side.sources.openings)
                .containsExactly(
                        new TagOpening.Eager(TagHeader.eager(0, 5)), new TagOpening.Eager(TagHeader.eager(0, 6)));
        place.matched(matchOf(6));
        assertThat(place.next()).isEqualTo(matchOf(6).receive());
    }

    // rule tag-returned
    @Test
    void anEmptyResultBeforeAResetDoesNotAnswerTheNextMessage() {
        place.supply(eager(5), side.turn);
        place.clear(side.turn);
        place.noReceive();
        assertThat(place.supply(eager(6), side.turn)).as("it is asked for").isEqualTo(Supply.AWAITING);
        assertThat(side.sources.openings).hasSize(2);
    }

    // rule tag-header
    @Test
    void aSkippedTagHeaderIsNotLongerThanItsPacket() {
        place.supply(eager(5), side.turn);
        place.matched(matchOf(5));
        assertThat(place.skipped(eager(5))).isEqualTo(TagHeader.BYTES);
        assertThat(place.skipped(message(new byte[3]))).isEqualTo(3);
    }
}
