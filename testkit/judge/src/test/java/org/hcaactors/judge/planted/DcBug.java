// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.adapter.dc.DcBugs;
import org.hcaactors.judge.sweep.OneStrand;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of DC: of sessions, of who opens them, and of where requests go. */
public enum DcBug implements Planted {
    A_KEY_IS_AS_GOOD_AS_ANOTHER(Patch.without("dc.DcIngress", "connect", "accessKey"), Swarm.OFF),
    INITIATORS_OF_A_NODE_ARE_ONE(new Patch("dc.DcIngress$Peer", "of", DcBugs.OfANode.class), Swarm.OFF),
    SPARES_WHAT_IT_NEED_NOT(new Patch("dc.DcIngress", "refusal", DcBugs.SparesAll.class), Swarm.OFF),
    COMES_AGAIN_AT_ONCE(Patch.withoutSetting("dc.Patience", "comesAgain", "backingOff"), Swarm.OFF),
    LEAVES_WHAT_IS_NOT_ACKNOWLEDGED(Patch.without("dc.Itinerary", "isWantedElsewhere", "hasOutstanding"), Swarm.OFF),
    GOES_ON_WITHOUT_A_SWITCH(new Patch("dc.Itinerary", "goesOn", Wrongs.SaysYes.class), Swarm.OFF),
    TAKES_WHAT_NAMES_NO_SESSION(new Patch("dc.DcResponder", "ofNone", Wrongs.FindsNothing.class), Swarm.OFF),
    PSNS_BEGIN_ANEW(Patch.without("dc.DcRequester", "start", "startAt"), Swarm.OFF),
    A_DISCONNECT_HAS_NO_PSN(Patch.without("work.PsnWindow", "take", "startAt"), Swarm.WIRE),
    A_COPY_OF_A_CONNECT_REPLACES(new Patch("dc.DcResponder", "connected", DcBugs.IsAnother.class), Swarm.WIRE),
    A_ROUTE_NEEDS_A_SOURCE(new Patch("work.Headers", "route", DcBugs.NeedsASource.class), OneStrand.GOING_SOURCES),
    A_RESPONDER_IS_CHECKED_AGAIN(
            new Patch("dc.DcTargetMachine", "bringUp", DcBugs.NeedsAPath.class), OneStrand.GOING_SOURCES),
    WHAT_IS_MADE_BEGINS_ANEW(Patch.without("work.SendLedger", "flush", "changesKey"), OneStrand.GOING_SOURCES);

    /** Every bug shows within so many seeds from there on. */
    private static final int FIRST_SEED = 2;

    private static final int SEEDS = 10;

    private final Patch patch;
    private final OneStrand strand;
    private final Swarm swarm;

    DcBug(Patch patch, Swarm swarm) {
        this(patch, OneStrand.DYNAMIC, swarm);
    }

    DcBug(Patch patch, OneStrand strand) {
        this(patch, strand, Swarm.OFF);
    }

    DcBug(Patch patch, OneStrand strand, Swarm swarm) {
        this.patch = patch;
        this.strand = strand;
        this.swarm = swarm;
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return new LoneHunt(strand, swarm, FIRST_SEED, SEEDS);
    }
}
