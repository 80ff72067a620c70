// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.actors.queue.SharingBugs;
import org.hcaactors.adapter.xrc.XrcBugs;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of objects that processes share over XRC. */
public enum XrcBug implements Planted {
    ROUTES_BY_WHAT_WAS_NAMED_FIRST(
            "xrc-receives.refusal", XrcBugs.KeepsWhatWasNamedFirst.class, Hunt.of(WorkloadKind.XRC_QUEUES)),
    USES_THE_DOMAIN_OF_THE_FIRST_QUEUE(
            "xrc-receives.memory", XrcBugs.HasTheMemoryOfTheOldest.class, Hunt.of(WorkloadKind.XRC_QUEUES)),
    COMPLETES_WITH_THE_FIRST_QUEUE(
            "xrc-receives.completed", XrcBugs.CompletesWithTheOldest.class, Hunt.of(WorkloadKind.XRC_QUEUES)),
    A_MIDDLE_PACKET_MAY_NAME_ANOTHER_QUEUE(
            Patch.instead("xrc-receives.refusal", "operation.starts", XrcBugs.Begins.class),
            Hunt.of(WorkloadKind.XRC_QUEUES).under(Swarm.HOSTILE).withSeeds(40)),
    EVERY_XRC_DOMAIN_IS_THE_SAME(
            "xrc-domains.open",
            XrcBugs.OpensOneForAll.class,
            Hunt.of(WorkloadKind.XRC_QUEUES).under(Swarm.WIRE)),
    A_TARGET_DIES_WITH_ITS_FIRST_HANDLE(
            "xrc-target-refs.is-last", CommonAdvice.SaysYes.class, Hunt.of(WorkloadKind.XRC_QUEUES)),
    ONLY_ITS_MAKER_HEARS_OF_A_TARGET(
            "xrc-target-refs.all",
            SharingBugs.TellsTheFirst.class,
            Hunt.of(WorkloadKind.XRC_QUEUES).withSeeds(40));

    private final Bug bug;

    XrcBug(String point, Class<?> advice, Hunt hunt) {
        this(new Patch(point, advice), hunt);
    }

    XrcBug(Patch patch, Hunt hunt) {
        bug = new Bug(patch, hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }
}
