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

    // rules tag-unexpected, tag-returned
    @Test
    void aMessageWithoutMatchIsMatchedAgainWhenItIsResent() {
        assertThat(place.supply(eager(5), side.turn)).isEqualTo(Supply.EMPTY);
        assertThat(place.hasNext()).isFalse();
        side.sources.matches.add(matchOf(5));
        assertThat(place.supply(eager(5), side.turn)).isEqualTo(Supply.READY);
        assertThat(place.supply(eager(5), side.turn)).as("it keeps its match").isEqualTo(Supply.READY);
        assertThat(side.sources.openings)
                .containsExactly(
                        new TagOpening.Eager(TagHeader.eager(0, 5)), new TagOpening.Eager(TagHeader.eager(0, 5)));
    }

    // rule tag-returned
    @Test
    void anEntryMatchedBeforeAResetIsNotGivenToALaterMessage() {
        side.sources.matches.add(matchOf(5));
        side.sources.matches.add(matchOf(6));
        assertThat(place.supply(eager(5), side.turn)).isEqualTo(Supply.READY);
        place.clear(side.turn);
        place.clear(side.turn);
        assertThat(side.sources.matchesBack).as("once").containsExactly(matchOf(5));
        assertThat(place.hasNext()).isFalse();
        assertThat(place.supply(eager(6), side.turn)).isEqualTo(Supply.READY);
        assertThat(place.next()).isEqualTo(matchOf(6).receive());
    }

    // rule tag-header
    @Test
    void aSkippedTagHeaderIsNotLongerThanItsPacket() {
        side.sources.matches.add(matchOf(5));
        place.supply(eager(5), side.turn);
        assertThat(place.skipped(eager(5))).isEqualTo(TagHeader.BYTES);
        assertThat(place.skipped(message(new byte[3]))).isEqualTo(3);
    }
}
