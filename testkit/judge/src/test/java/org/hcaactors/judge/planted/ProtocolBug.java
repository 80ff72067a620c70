// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.adapter.completion.CompletionBugs;
import org.hcaactors.adapter.port.LinkBugs;
import org.hcaactors.adapter.rc.RequesterBugs;
import org.hcaactors.adapter.rc.ResponderBugs;
import org.hcaactors.adapter.state.MachineBugs;
import org.hcaactors.fabric.link.FabricBugs;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/**
 * Protocol bugs that the adapter had until stress tests found them, and mutants of that kind that its tests did not detect;
 * also state that survives its connection, growth beyond a bound, and late effects.
 */
public enum ProtocolBug implements Planted {
    STAYS_BROKEN_WHEN_ACKNOWLEDGED(
            Patch.withoutSetting("rc-requester.skip-acknowledged", "rc-requester.broken-at"),
            Hunt.of(WorkloadKind.LOST_ANSWERS)),
    LOOKS_AT_ITS_OWN_KEY_FIRST(
            "rc-requester.admit", RequesterBugs.LooksAtItsOwnKey.class, Hunt.of(WorkloadKind.INLINE_DATA)),
    ASKS_FOR_MORE_READS_THAN_IT_MAY(
            Patch.without("rc-requester.admit", "psn-window.outstanding-rd-atomic"),
            Hunt.of(WorkloadKind.CONNECTION_CLOSE_RACES).under(Swarm.HOSTILE)),
    IGNORES_THE_FENCE(
            Patch.without("rc-requester.admit", "posted-request.is-fenced"),
            Hunt.of(WorkloadKind.CONNECTION_CLOSE_RACES)),
    USES_A_PAYLOAD_EARLY(
            "payloads.acknowledged-below",
            RequesterBugs.UsesEarly.class,
            Hunt.of(WorkloadKind.LARGE_MESSAGES).withSeeds(60).unwatched()),
    LENDS_OTHER_BYTES(
            Patch.withoutReading("loan.store", "loan.start"),
            Hunt.of(WorkloadKind.LARGE_MESSAGES).withSeeds(60).unwatched()),

    HANDLES_WHAT_IS_HELD_BEHIND_A_FAILURE(
            Patch.without("rc-completer.resume", "psn-window.has-failed"),
            Hunt.of(WorkloadKind.REQUESTER_REGION_LOSS).under(Swarm.WIRE).withSeeds(40)),
    A_NAK_CUTS_INTO_THE_RNR_WAIT(
            Patch.withoutReading("rc-recovery.says-nothing-new", "rc-recovery.backing-off"),
            Hunt.of(WorkloadKind.SHARED_QUEUES).under(Swarm.WIRE).withSeeds(200)),
    AN_RNR_NAK_TOLD_TWICE_COUNTS_TWICE(
            Patch.withoutReading("rc-recovery.back-off", "rc-recovery.backing-off"),
            Hunt.of(WorkloadKind.EXTREME_ATTRIBUTES).under(Swarm.DISASTER).withSeeds(600)),
    A_NAK_TOLD_TWICE_COUNTS_TWICE(
            Patch.withoutSetting("rc-recovery.sequence-nak", "rc-recovery.nak-answered"),
            Hunt.of(WorkloadKind.SHARED_QUEUES).under(Swarm.WIRE)),
    AN_IMPLIED_NAK_TOLD_TWICE_COUNTS_TWICE(
            Patch.withoutSetting("rc-recovery.implied-nak", "rc-recovery.went-back-for"),
            Hunt.of(WorkloadKind.SHORT_TIMEOUT_READS).under(Swarm.WIRE)),
    A_TIMEOUT_KEEPS_THE_GAP(
            Patch.without("rc-recovery.timeout", "rc-recovery.forget-gaps"),
            Hunt.of(WorkloadKind.SHORT_TIMEOUT_READS).under(Swarm.WIRE)),
    AN_RNR_NAK_USES_A_RETRY(
            "rc-recovery.back-off",
            RequesterBugs.UsesARetry.class,
            Hunt.of(WorkloadKind.PAGED_REGIONS).under(Swarm.WIRE).withSeeds(40)),
    RETRIES_ARE_FOR_A_LIFETIME(
            Patch.without("rc-recovery.progressed", "rc-recovery.refill-budgets"),
            Hunt.of(WorkloadKind.SHORT_TIMEOUT_READS).under(Swarm.WIRE)),
    A_RESUMED_READ_MAY_NOT_BEGIN_AFRESH(
            Patch.without("rc-completer.is-right-place", "rc-requester.has-resumed-at"),
            Hunt.of(WorkloadKind.MODIFIED).under(Swarm.WIRE)),
    TAKES_A_MIDDLE_FOR_A_FIRST(
            "rc-completer.is-right-place",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.SHARED_RECEIVES).under(Swarm.HOSTILE).withSeeds(40)),
    A_GHOST_ACK_IS_ONE_ABOVE_THE_LAST(
            Patch.instead("rc-completer.handle", "psn-window.is-outstanding", RequesterBugs.OneAboveTheLast.class),
            Hunt.of(WorkloadKind.EXACT_FIT_RECEIVES).under(Swarm.HOSTILE).withSeeds(100)),

    A_READ_DOES_NOT_END_THE_NAK(
            "request-sequence.accept-read",
            ResponderBugs.KeepsTheNak.class,
            Hunt.of(WorkloadKind.LARGE_MESSAGES).under(Swarm.WIRE)),
    TELLS_A_GAP_WITH_EACH_PACKET_BEHIND_IT(
            Patch.withoutSetting("request-sequence.tells-gap", "request-sequence.nak-pending"),
            Hunt.of(WorkloadKind.LARGE_MESSAGES).under(Swarm.WIRE)),
    COUNTS_NO_MESSAGES(
            Patch.withoutSetting("request-sequence.accept", "request-sequence.msn"),
            Hunt.of(WorkloadKind.EXACT_FIT_RECEIVES)),
    A_READ_IS_NOT_COUNTED(
            Patch.withoutSetting("request-sequence.accept-read", "request-sequence.msn"),
            Hunt.of(WorkloadKind.CONNECTION_CLOSE_RACES)),
    AN_ACK_STAYS_BEHIND_A_RESPONSE(
            Patch.without("response-queue.stream", "response-queue.settle-ack"),
            Hunt.of(WorkloadKind.SHARED_RECEIVES).under(Swarm.WIRE)),
    A_READ_WITHOUT_ITS_REGION_TELLS_NOBODY(
            Patch.without("response-queue.send-read", "turn.raise"),
            Hunt.of(WorkloadKind.WINDOW_TRAFFIC).under(Swarm.DISASTER).withSeeds(60)),
    REMEMBERS_ACROSS_A_RESET(
            Patch.withoutSetting("replay-ring.clear", "replay-ring.ring"),
            Hunt.of(WorkloadKind.LOST_ANSWERS).under(Swarm.WIRE)),
    A_REPLAYED_READ_MAY_NAME_ANOTHER_KEY(
            Patch.without("replay-ring.read", "rkey"),
            Hunt.of(WorkloadKind.RESTARTED_ADAPTER).under(Swarm.HOSTILE).withSeeds(1000)),
    A_PART_OF_A_WRITE_IS_OFF_BY_ONE(
            "packet-lengths.is-wrong-part",
            ResponderBugs.OffByOne.class,
            Hunt.of(WorkloadKind.REQUESTER_REGION_LOSS).under(Swarm.HOSTILE).withSeeds(40)),
    CHECKS_THE_KEY_OF_NOTHING(
            "incoming-write.reach", ResponderBugs.ChecksTheKeyOfNothing.class, Hunt.of(WorkloadKind.INVALID_KEYS)),
    LOOKS_AT_BYTES_THAT_ARE_NOT_TOUCHED(
            Patch.instead("local-memory.reach", "min", MachineBugs.TheFirst.class),
            Hunt.of(WorkloadKind.EXACT_FIT_RECEIVES)),

    FLUSHES_NO_SENDS(
            "send-ledger.flush",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.SHORT_TIMEOUT_READS).under(Swarm.WIRE)),
    STARTS_REQUESTS_WHILE_IT_DRAINS("rc-initiator.transmit", MachineBugs.MayStart.class, Hunt.of(WorkloadKind.DRAINS)),
    A_DATAGRAM_TOO_LONG_USES_ITS_RECEIVE(
            Patch.instead("ud-receiver.too-long", "message-buffer.can-go-back", MachineBugs.No.class),
            Hunt.of(WorkloadKind.EXACT_FIT_RECEIVES).under(Swarm.WIRE)),
    HEARS_STRANGERS("headers.refusal", RuleBug.LetsIn.class, Hunt.of(WorkloadKind.PORT_CHANGES)),
    HEARS_ANY_PARTITION(
            Patch.instead("packet-filter.refusal", "pkeysMatch", MachineBugs.Match.class),
            Hunt.of(WorkloadKind.PORT_CHANGES)),
    SENDS_FROM_AN_ADDRESS_THAT_WENT(
            "headers.current-route", MachineBugs.KeepsItsRoute.class, Hunt.of(WorkloadKind.PORT_CHANGES)),

    A_PORT_IGNORES_ITS_LINKS_MTU("local-port.mtu-on", LinkBugs.TheMost.class, Hunt.of(WorkloadKind.PORT_CHANGES)),
    A_RECEIVERS_LINK_HAS_NO_MTU(
            Patch.instead("port.why-not-delivered", "port.fits", FabricBugs.Fits.class),
            Hunt.of(WorkloadKind.PORT_CHANGES)),
    AN_ADDRESS_GIVEN_UP_IS_NOBODYS(
            "address-table.release", FabricBugs.ForgetsAll.class, Hunt.of(WorkloadKind.PORT_CHANGES)),
    COMPARES_PSNS_AS_NUMBERS("psn.compare", FabricBugs.AsNumbers.class, Hunt.of(WorkloadKind.UNRELIABLE)),

    // State that survives a RESET.
    A_NAK_IS_OUT_FROM_THE_LIFE_BEFORE(
            Patch.withoutSetting("request-sequence.clear", "request-sequence.nak-pending"),
            Hunt.of(WorkloadKind.INVALID_KEYS).under(Swarm.WIRE).withSeeds(40)),
    COUNTS_ON_FROM_THE_LIFE_BEFORE(
            Patch.withoutSetting("request-sequence.start-at", "request-sequence.msn"),
            Hunt.of(WorkloadKind.LOST_ANSWERS).under(Swarm.WIRE)),
    SILENT_SLOTS_COME_BACK_IN_ANOTHER_LIFE(
            Patch.without("send-ledger.reset", "silent-slots.take"), Hunt.of(WorkloadKind.LOST_ANSWERS)),

    // Growth beyond a bound.
    DUPLICATES_ARE_UNBOUNDED(
            "duplicate-requests.has-room",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.SHORT_TIMEOUT_READS).withSeeds(40)),
    A_RESIZE_IGNORES_WHAT_IS_UNDER_WAY(
            Patch.without("completion-ring.resize", "granted-entries.size"),
            Hunt.of(WorkloadKind.SHORT_SUBSCRIPTIONS).withSeeds(60)),

    // Moderation of completion queues.
    A_PERIOD_BEGINS_WITH_EACH_ENTRY(
            "notification.written",
            CompletionBugs.BeginsThePeriodAnew.class,
            Hunt.of(WorkloadKind.SHARED_RECEIVES).under(Swarm.WIRE).withSeeds(40)),
    A_PERIOD_ENDS_UNNOTICED(
            Patch.without("completion-queue-actor.completed", "completion-queue-actor.rearm"),
            Hunt.of(WorkloadKind.SHARED_RECEIVES).under(Swarm.WIRE)),
    A_CHANGE_OF_MODERATION_LOSES_WHAT_WAITS(
            Patch.without("notification.moderate", "notification.due-or-timed"),
            Hunt.of(WorkloadKind.SHARED_RECEIVES).under(Swarm.WIRE)),
    NO_ENTRY_COUNTS(
            Patch.withoutReading("notification.due-or-timed", "notification.count"),
            Hunt.of(WorkloadKind.SHARED_RECEIVES)),

    // Requests to a failed part.
    REPORTS_A_REACHED_LIMIT_AGAIN(
            Patch.withoutSetting("shared-receives.compare-with-limit", "shared-receives.limit"),
            Hunt.of(WorkloadKind.SHARED_QUEUES));

    private final Bug bug;

    ProtocolBug(String point, Class<?> advice, Hunt hunt) {
        this(new Patch(point, advice), hunt);
    }

    ProtocolBug(Patch patch, Hunt hunt) {
        bug = new Bug(patch, hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }
}
