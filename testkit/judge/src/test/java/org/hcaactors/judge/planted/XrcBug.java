// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.actors.queue.SharingBugs;
import org.hcaactors.adapter.xrc.XrcBugs;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of what processes share over XRC. */
public enum XrcBug implements Planted {
    ROUTES_BY_WHAT_WAS_NAMED_FIRST(
            new Patch("xrc.NamedReceives", "refusal", XrcBugs.KeepsWhatWasNamedFirst.class), Swarm.OFF),
    USES_THE_DOMAIN_OF_THE_FIRST_QUEUE(
            new Patch("queue.JoinedQueues", "join", SharingBugs.HasTheDomainOfTheFirst.class), Swarm.OFF),
    COMPLETES_WITH_THE_FIRST_QUEUE(
            new Patch("queue.JoinedQueues", "completed", SharingBugs.CompletesWithTheFirst.class), Swarm.OFF),
    A_MIDDLE_PACKET_MAY_NAME_ANOTHER_QUEUE(
            Patch.instead("xrc.NamedReceives", "refusal", "starts", XrcBugs.Begins.class), Swarm.HOSTILE),
    EVERY_XRC_DOMAIN_IS_THE_SAME(new Patch("xrc.XrcDomains", "open", XrcBugs.OpensOneForAll.class), Swarm.OFF),
    A_TARGET_DIES_WITH_ITS_FIRST_HANDLE(new Patch("queue.TargetShare", "isLast", Wrongs.SaysYes.class), Swarm.OFF),
    ONLY_ITS_MAKER_HEARS_OF_A_TARGET(new Patch("queue.TargetShare", "all", SharingBugs.TellsTheFirst.class), Swarm.OFF);

    private final Patch patch;
    private final Swarm swarm;

    XrcBug(Patch patch, Swarm swarm) {
        this.patch = patch;
        this.swarm = swarm;
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return Seeds.of(200).with(swarm);
    }
}
