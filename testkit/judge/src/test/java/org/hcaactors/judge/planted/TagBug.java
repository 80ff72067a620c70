// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.adapter.dc.DcBugs;
import org.hcaactors.judge.sweep.OneStrand;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of tag matching: of who gets a message, of what the two sides know of each other, and of data that are fetched. */
public enum TagBug implements Planted {
    ANY_TAG_IS_RIGHT(new Patch("tag.TagEntry", "matches", Wrongs.SaysYes.class)),
    MATCHES_OUT_OF_STEP(new Patch("tag.TagMatcher", "isInStep", Wrongs.SaysYes.class)),
    DOES_NOT_COUNT_WHAT_IS_UNEXPECTED(Patch.withoutSetting("tag.TagMatcher", "deliver", "delivered")),
    THE_HEADER_STAYS(Patch.without("rendezvous.TaggedPlace", "skipped", "skipped")),
    TELLS_NO_SENDER(Patch.without("rendezvous.Fetch", "wasRead", "ask")),
    TELLS_NO_PROGRAM(Patch.without("rendezvous.Fetch", "wasRead", "tell")),
    PLACES_ARE_TAKEN_FOR_EVER(Patch.without("srq.TagSlots", "release", "getAndAdd")),
    ASKS_WITHOUT_A_KEY(Patch.without("work.Destination$Dynamic", "backTo", "accessKey"), OneStrand.LEFT_DATA),
    A_FAILURE_ENDS_ALL_FETCHING(Patch.without("dc.DcFetcher", "settle", "goOn"), OneStrand.LEFT_DATA),
    FETCHES_ONLY_BY_WHAT_IS_THERE(
            new Patch("work.Headers", "route", DcBugs.NeedsASource.class), OneStrand.LEFT_DATA_WHERE_SOURCES_GO);

    /** Every bug shows within so many seeds. */
    private static final int SEEDS = 12;

    private final Patch patch;
    private final OneStrand strand;

    TagBug(Patch patch) {
        this(patch, OneStrand.TAGGED);
    }

    TagBug(Patch patch, OneStrand strand) {
        this.patch = patch;
        this.strand = strand;
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return new LoneHunt(strand, Swarm.OFF, 0, SEEDS);
    }
}
