// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import org.hcaactors.adapter.completion.CompletionBugs;
import org.hcaactors.adapter.port.LinkBugs;
import org.hcaactors.adapter.rc.RequesterBugs;
import org.hcaactors.adapter.rc.ResponderBugs;
import org.hcaactors.adapter.state.MachineBugs;
import org.hcaactors.fabric.link.FabricBugs;
import org.hcaactors.lab.fault.Swarm;
import org.hcaactors.lab.world.Watch;

/**
 * Bugs of the protocol that stood in the adapter until hard use found them, and mutants of its kin that its tests let pass; with
 * them what outlives the life that it belongs to, what grows beyond its bound, and what comes late.
 */
public enum ProtocolBug implements Planted {
    STAYS_BROKEN_WHEN_ACKNOWLEDGED(
            Patch.withoutSetting("rc.RcRequester", "skipAcknowledged", "brokenAt"),
            Seeds.of(200).with(Swarm.OFF)),
    LOOKS_AT_ITS_OWN_KEY_FIRST(
            new Patch("rc.RcRequester", "admit", RequesterBugs.LooksAtItsOwnKey.class),
            Seeds.of(200).with(Swarm.OFF)),
    ASKS_FOR_MORE_READS_THAN_IT_MAY(Patch.without("rc.RcRequester", "admit", "outstandingRdAtomic")),
    IGNORES_THE_FENCE(
            Patch.without("rc.RcRequester", "admit", "isFenced"), Seeds.of(200).with(Swarm.OFF)),
    USES_A_PAYLOAD_EARLY(
            new Patch("message.Payloads", "acknowledgedBelow", RequesterBugs.UsesEarly.class),
            Seeds.of(200).with(Swarm.OFF).with(Watch.NOBODY)),

    HANDLES_WHAT_IS_HELD_BEHIND_A_FAILURE(Patch.without("rc.RcCompleter", "resume", "hasFailed")),
    A_NAK_CUTS_INTO_THE_RNR_WAIT(Patch.withoutReading("rc.RcRecovery", "saysNothingNew", "backingOff")),
    AN_RNR_NAK_TOLD_TWICE_COUNTS_TWICE(
            Patch.withoutReading("rc.RcRecovery", "backOff", "backingOff"),
            Seeds.of(200).from(370)),
    A_NAK_TOLD_TWICE_COUNTS_TWICE(Patch.withoutSetting("rc.RcRecovery", "sequenceNak", "nakAnswered")),
    AN_IMPLIED_NAK_TOLD_TWICE_COUNTS_TWICE(Patch.withoutSetting("rc.RcRecovery", "impliedNak", "wentBackFor")),
    A_TIMEOUT_KEEPS_THE_GAP(Patch.without("rc.RcRecovery", "timeout", "forgetGaps")),
    AN_RNR_NAK_USES_A_RETRY(new Patch("rc.RcRecovery", "backOff", RequesterBugs.UsesARetry.class)),
    RETRIES_ARE_FOR_A_LIFETIME(Patch.without("rc.RcRecovery", "progressed", "refillBudgets")),
    A_RESUMED_READ_MAY_NOT_BEGIN_AFRESH(Patch.without("rc.RcCompleter", "isRightPlace", "hasResumedAt")),
    TAKES_A_MIDDLE_FOR_A_FIRST(
            new Patch("rc.RcCompleter", "isRightPlace", Wrongs.SaysYes.class),
            Seeds.of(200).with(Swarm.HOSTILE)),
    A_GHOST_ACK_IS_ONE_ABOVE_THE_LAST(
            Patch.instead("rc.RcCompleter", "handle", "isOutstanding", RequesterBugs.OneAboveTheLast.class),
            Seeds.of(200).from(2).with(Swarm.HOSTILE)),

    A_READ_DOES_NOT_END_THE_NAK(new Patch("rc.RequestSequence", "acceptRead", ResponderBugs.KeepsTheNak.class)),
    AN_ACK_STAYS_BEHIND_A_RESPONSE(Patch.without("rc.ResponseQueue", "stream", "settleAck")),
    A_READ_WITHOUT_ITS_REGION_TELLS_NOBODY(Patch.without("rc.ResponseQueue", "sendRead", "raise")),
    REMEMBERS_ACROSS_A_RESET(
            Patch.withoutSetting("rc.ReplayRing", "clear", "ring"),
            Seeds.of(200).with(Swarm.OFF)),
    A_REPLAYED_READ_MAY_NAME_ANOTHER_KEY(
            Patch.without("rc.ReplayRing", "read", "rkey"),
            Seeds.of(200).from(150).with(Swarm.HOSTILE)),
    A_PART_OF_A_WRITE_IS_OFF_BY_ONE(
            new Patch("message.PacketLengths", "isWrongPart", ResponderBugs.OffByOne.class),
            Seeds.of(200).with(Swarm.HOSTILE)),
    CHECKS_THE_KEY_OF_NOTHING(
            new Patch("message.IncomingWrite", "reach", ResponderBugs.ChecksTheKeyOfNothing.class),
            Seeds.of(200).with(Swarm.OFF)),
    LOOKS_AT_BYTES_THAT_ARE_NOT_TOUCHED(
            Patch.instead("work.LocalMemory", "reach", "min", MachineBugs.TheFirst.class),
            Seeds.of(200).with(Swarm.OFF)),

    FLUSHES_NO_SENDS(new Patch("work.SendLedger", "flush", Wrongs.DoesNothing.class)),
    STARTS_REQUESTS_WHILE_IT_DRAINS(
            new Patch("rc.RcInitiator", "transmit", MachineBugs.MayStart.class),
            Seeds.of(200).with(Swarm.OFF)),
    A_DATAGRAM_TOO_LONG_USES_ITS_RECEIVE(
            Patch.instead("ud.UdReceiver", "tooLong", "canGoBack", MachineBugs.No.class),
            Seeds.of(200).with(Swarm.OFF)),
    HEARS_STRANGERS(
            new Patch("work.Headers", "refusal", FirstBug.LetsIn.class),
            Seeds.of(200).with(Swarm.OFF)),
    HEARS_ANY_PARTITION(
            Patch.instead("state.PacketFilter", "refusal", "pkeysMatch", MachineBugs.Match.class),
            Seeds.of(200).with(Swarm.OFF)),
    SENDS_FROM_AN_ADDRESS_THAT_WENT(
            new Patch("work.Headers", "currentRoute", MachineBugs.KeepsItsRoute.class),
            Seeds.of(200).with(Swarm.OFF)),

    A_PORT_IGNORES_ITS_LINKS_MTU(
            new Patch("port.LocalPort", "mtuOn", LinkBugs.TheMost.class),
            Seeds.of(200).with(Swarm.OFF)),
    A_RECEIVERS_LINK_HAS_NO_MTU(
            Patch.instead("fabric.link.Port", "whyNotDelivered", "fits", FabricBugs.Fits.class),
            Seeds.of(200).with(Swarm.OFF)),
    AN_ADDRESS_GIVEN_UP_IS_NOBODYS(
            new Patch("fabric.link.AddressTable", "release", FabricBugs.ForgetsAll.class),
            Seeds.of(200).with(Swarm.OFF)),
    COMPARES_PSNS_AS_NUMBERS(new Patch("fabric.packet.Psn", "compare", FabricBugs.AsNumbers.class)),

    // Over a RESET.
    A_NAK_IS_OUT_FROM_THE_LIFE_BEFORE(
            Patch.withoutSetting("rc.RequestSequence", "clear", "nakPending"),
            Seeds.of(200).from(30)),
    COUNTS_ON_FROM_THE_LIFE_BEFORE(Patch.withoutSetting("rc.RequestSequence", "startAt", "msn")),
    SILENT_SLOTS_COME_BACK_IN_ANOTHER_LIFE(Patch.without("work.SendLedger", "reset", "take")),

    // Beyond a bound.
    DUPLICATES_ARE_UNBOUNDED(
            new Patch("rc.Duplicates", "hasRoom", Wrongs.SaysYes.class),
            Seeds.of(200).from(30)),
    A_RESIZE_IGNORES_WHAT_IS_UNDER_WAY(
            Patch.without("completion.CompletionRing", "resize", "size"),
            Seeds.of(200).from(200)),

    // When a completion queue is moderated.
    A_PERIOD_BEGINS_WITH_EACH_ENTRY(
            new Patch("completion.Notification", "written", CompletionBugs.BeginsThePeriodAnew.class)),
    A_PERIOD_ENDS_UNNOTICED(Patch.without("completion.CompletionQueueActor", "completed", "rearm")),
    A_CHANGE_OF_MODERATION_LOSES_WHAT_WAITS(Patch.without("completion.Notification", "moderate", "dueOrTimed")),
    NO_ENTRY_COUNTS(Patch.withoutReading("completion.Notification", "dueOrTimed", "count")),

    // Who asks what has failed.
    A_FAILED_SHARED_RECEIVE_QUEUE_IS_SILENT(
            Patch.without("srq.SharedReceiveActor", "take", "nothingToTake"),
            Seeds.of(200).with(Swarm.DISASTER));

    private final Patch patch;
    private final Hunt hunt;

    /** Found by mixed traffic over wires that disturb it. */
    ProtocolBug(Patch patch) {
        this(patch, Seeds.of(200));
    }

    ProtocolBug(Patch patch, Hunt hunt) {
        this.patch = patch;
        this.hunt = hunt;
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return hunt;
    }
}
