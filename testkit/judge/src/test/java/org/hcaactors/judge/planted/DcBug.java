// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.adapter.dc.DcBugs;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of DC: of sessions, of opening them, and of routing requests. */
public enum DcBug implements Planted {
    A_KEY_IS_AS_GOOD_AS_ANOTHER(
            Patch.without("dc-ingress.connect", "accessKey"),
            Hunt.of(WorkloadKind.DC_RENDEZVOUS_GID_CHANGES).under(Swarm.WIRE)),
    INITIATORS_OF_A_NODE_ARE_ONE(
            "dc-ingress.peer.of",
            DcBugs.OfANode.class,
            Hunt.of(WorkloadKind.DC_RENDEZVOUS).under(Swarm.WIRE)),
    SPARES_WHAT_IT_NEED_NOT(
            "dc-ingress.refusal",
            DcBugs.SparesAll.class,
            Hunt.of(WorkloadKind.DYNAMIC).under(Swarm.WIRE)),
    COMES_AGAIN_AT_ONCE(
            Patch.withoutSetting("connect-timer.comes-again", "connect-timer.backing-off"),
            Hunt.of(WorkloadKind.DYNAMIC)),
    LEAVES_WHAT_IS_NOT_ACKNOWLEDGED(
            Patch.without("target-run.is-wanted-elsewhere", "send-ledger.has-outstanding"),
            Hunt.of(WorkloadKind.DYNAMIC).under(Swarm.WIRE)),
    GOES_ON_WITHOUT_A_SWITCH(
            "target-run.goes-on",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.DC_RENDEZVOUS).under(Swarm.WIRE)),
    TAKES_WHAT_NAMES_NO_SESSION(
            "dc-responder.of-none",
            CommonAdvice.FindsNothing.class,
            Hunt.of(WorkloadKind.DYNAMIC).under(Swarm.WIRE)),
    PSNS_BEGIN_ANEW(
            Patch.without("dc-requester.start", "psn-window.start-at"),
            Hunt.of(WorkloadKind.DC_RENDEZVOUS_GID_CHANGES).under(Swarm.WIRE)),
    A_DISCONNECT_HAS_NO_PSN(Patch.without("psn-window.take", "psn-window.start-at"), Hunt.of(WorkloadKind.DYNAMIC)),
    A_COPY_OF_A_CONNECT_REPLACES(
            "dc-responder.connected",
            DcBugs.IsAnother.class,
            Hunt.of(WorkloadKind.DC_RENDEZVOUS).under(Swarm.WIRE)),
    A_ROUTE_NEEDS_A_SOURCE(
            "headers.route-of-path",
            DcBugs.NeedsASource.class,
            Hunt.of(WorkloadKind.GID_CHANGES).withSeeds(20)),
    A_RESPONDER_IS_CHECKED_AGAIN(
            "dc-target-machine.bring-up", DcBugs.NeedsAPath.class, Hunt.of(WorkloadKind.GID_CHANGES)),
    WHAT_IS_MADE_BEGINS_ANEW(
            Patch.without("send-ledger.flush-some", "posted-request.changes-key"), Hunt.of(WorkloadKind.GID_CHANGES));

    private final Bug bug;

    DcBug(String point, Class<?> advice, Hunt hunt) {
        this(new Patch(point, advice), hunt);
    }

    DcBug(Patch patch, Hunt hunt) {
        bug = new Bug(patch, hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }
}
