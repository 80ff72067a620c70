// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of tag matching: of the choice of a receive, of the synchronization with software, and of fetched data. */
public enum TagBug implements Planted {
    ANY_TAG_IS_RIGHT(
            "tag-entry.matches",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.TAGGED).under(Swarm.WIRE)),
    MATCHES_OUT_OF_STEP(
            "tag-matcher.is-in-step",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.TAGGED).withSeeds(40)),
    DOES_NOT_COUNT_WHAT_IS_UNEXPECTED(
            Patch.withoutSetting("tag-matcher.deliver", "tag-matcher.delivered"), Hunt.of(WorkloadKind.TAGGED)),
    THE_HEADER_STAYS(
            Patch.without("tagged-receives.skipped", "tagged-place.given.skipped"),
            Hunt.of(WorkloadKind.TAGGED).under(Swarm.WIRE)),
    TELLS_NO_SENDER(
            Patch.without("rendezvous-fetch.was-read", "rendezvous-fetches.ask"),
            Hunt.of(WorkloadKind.DC_RENDEZVOUS).under(Swarm.WIRE)),
    TELLS_NO_PROGRAM(
            Patch.without("rendezvous-fetch.was-read", "rendezvous-fetch.tell"),
            Hunt.of(WorkloadKind.DC_RENDEZVOUS).under(Swarm.WIRE)),
    OPERATIONS_DO_NOT_COMPLETE("tag-queue.complete", CommonAdvice.DoesNothing.class, Hunt.of(WorkloadKind.TAGGED)),
    PLACES_ARE_TAKEN_FOR_EVER(
            Patch.without("tag-slots.release", "getAndAdd"),
            Hunt.of(WorkloadKind.DC_RENDEZVOUS).under(Swarm.WIRE)),
    ASKS_WITHOUT_A_KEY(
            Patch.without("destination.dynamic.back-to", "value"), Hunt.of(WorkloadKind.DC_RENDEZVOUS_GID_CHANGES)),
    A_FAILURE_ENDS_ALL_FETCHING(
            Patch.without("dc-fetcher.settle", "dc-requester.go-on"), Hunt.of(WorkloadKind.DC_RENDEZVOUS));

    private final Bug bug;

    TagBug(String point, Class<?> advice, Hunt hunt) {
        this(new Patch(point, advice), hunt);
    }

    TagBug(Patch patch, Hunt hunt) {
        bug = new Bug(patch, hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }
}
