package org.hcaactors.lab.planted;

import org.hcaactors.adapter.completion.RingBugs;
import org.hcaactors.adapter.device.PortBugs;
import org.hcaactors.adapter.number.NumberBugs;
import org.hcaactors.adapter.port.LinkBugs;
import org.hcaactors.adapter.queue.MachineBugs;
import org.hcaactors.adapter.queue.RequesterBugs;
import org.hcaactors.adapter.queue.ResponderBugs;
import org.hcaactors.fabric.link.FabricBugs;

/** Bugs of the protocol that stood in the adapter until hard use found them, and mutants of its kin that its tests let pass. */
public enum ProtocolBug implements Planted {
    STAYS_BROKEN_WHEN_ACKNOWLEDGED(Patch.withoutSetting("queue.RcRequester", "skipAcknowledged", "brokenAt")),
    HANDLES_WHAT_IS_HELD_BEHIND_A_FAILURE(Patch.without("queue.RcCompleter", "resume", "hasFailed")),
    A_NAK_CUTS_INTO_THE_RNR_WAIT(Patch.withoutReading("queue.RcCompleter", "saysNothingNew", "backingOff")),
    AN_RNR_NAK_TOLD_TWICE_COUNTS_TWICE(Patch.withoutReading("queue.RcCompleter", "backOff", "backingOff")),
    A_NAK_TOLD_TWICE_COUNTS_TWICE(Patch.withoutSetting("queue.RcCompleter", "sequenceNak", "nakAnswered")),
    AN_IMPLIED_NAK_TOLD_TWICE_COUNTS_TWICE(Patch.withoutSetting("queue.RcCompleter", "impliedNak", "wentBackFor")),
    A_TIMEOUT_KEEPS_THE_GAP(Patch.without("queue.RcCompleter", "timeout", "forgetGaps")),
    TAKES_A_MIDDLE_FOR_A_FIRST(new Patch("queue.RcCompleter", "isRightPlace", FirstBug.SaysYes.class)),
    A_GHOST_ACK_IS_ONE_ABOVE_THE_LAST(
            Patch.instead("queue.RcCompleter", "handle", "sentEnd", RequesterBugs.OneAboveTheLast.class)),
    USES_A_PAYLOAD_EARLY(new Patch("queue.Payloads", "acknowledgedBelow", RequesterBugs.UsesEarly.class)),

    A_READ_DOES_NOT_END_THE_NAK(new Patch("queue.RcResponder", "read", ResponderBugs.KeepsTheNak.class)),
    A_REPLAYED_READ_MAY_NAME_ANOTHER_KEY(Patch.without("queue.ReplayRing", "repeatsRead", "rkey")),
    REMEMBERS_ACROSS_A_RESET(Patch.without("queue.ReplayRing", "clear", "clear")),
    A_PART_OF_A_WRITE_IS_OFF_BY_ONE(new Patch("queue.PacketLengths", "isWrongPart", ResponderBugs.OffByOne.class)),
    A_READ_WITHOUT_ITS_REGION_TELLS_NOBODY(Patch.without("queue.ResponseQueue", "sendRead", "raise")),
    OWES_ANY_NUMBER_OF_ANSWERS(new Patch("queue.Duplicates", "hasRoom", FirstBug.SaysYes.class)),
    LOOKS_AT_BYTES_THAT_ARE_NOT_TOUCHED(Patch.instead("queue.LocalMemory", "reach", "min", MachineBugs.TheFirst.class)),

    A_REFUSED_MODIFY_LEAVES_ITS_RIGHTS(
            Patch.instead("queue.QueuePairMachine", "modify", "toPeer", MachineBugs.AppliesAtOnce.class)),
    TELLS_A_DRAIN_UNASKED(Patch.withoutSetting("queue.QueuePairMachine", "modify", "notifyWhenDrained")),
    SENDS_FROM_AN_ADDRESS_THAT_WENT(new Patch("queue.Headers", "currentRoute", MachineBugs.KeepsItsRoute.class)),
    A_DATAGRAM_TOO_LONG_USES_ITS_RECEIVE(
            Patch.instead("queue.UdReceiver", "tooLong", "isShared", MachineBugs.Yes.class)),
    WAITS_FOR_A_SHARED_QUEUE_THAT_FAILED(Patch.without("queue.QueuePairMachine", "sharedReceivesFailed", "noneToTake")),
    READS_EMPTY_INLINE_ELEMENTS(
            Patch.instead("queue.WorkQueues", "copyInline", "lengthBytes", MachineBugs.AtLeastOne.class)),

    OVERRUNS_WITH_ALL_ENTRIES_UNDER_WAY(
            new Patch("completion.CompletionQueueMachine", "write", RingBugs.FailsWithAllUnderWay.class)),
    WHAT_IS_GIVEN_BACK_SURVIVES_A_RESET(Patch.without("completion.CompletionRing", "giveBack", "isPurged")),
    A_RESIZE_IGNORES_WHAT_IS_UNDER_WAY(Patch.without("completion.CompletionRing", "resize", "size")),

    KEYS_COME_BACK_AT_ONCE(new Patch("number.NumberSpace", "free", NumberBugs.KeysComeBack.class)),
    QUEUE_PAIR_NUMBERS_COME_BACK_AT_ONCE(new Patch("number.NumberSpace", "free", NumberBugs.QueuePairsComeBack.class)),

    A_PORT_IGNORES_ITS_LINKS_MTU(new Patch("port.LocalPort", "mtuOn", LinkBugs.TheMost.class)),
    A_RECEIVERS_LINK_HAS_NO_MTU(Patch.instead("fabric.link.Port", "whyNotDelivered", "fits", FabricBugs.Fits.class)),
    AN_ADDRESS_GIVEN_UP_IS_NOBODYS(new Patch("fabric.link.AddressTable", "release", FabricBugs.ForgetsAll.class)),
    A_LINK_SET_AT_ONCE_IS_LOST(new Patch("device.AdapterHandle", "setLink", PortBugs.PassesTheAdapterBy.class));

    private final Patch patch;

    ProtocolBug(Patch patch) {
        this.patch = patch;
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return Seeds.of(200);
    }
}
