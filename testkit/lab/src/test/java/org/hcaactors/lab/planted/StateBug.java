package org.hcaactors.lab.planted;

import org.hcaactors.adapter.completion.CompletionBugs;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of state and of time: what outlives the life that it belongs to, what grows beyond its bound, what comes late. */
public enum StateBug implements Planted {
    // Over a RESET.
    A_NAK_IS_OUT_FROM_THE_LIFE_BEFORE(
            Patch.withoutSetting("queue.RcResponder", "reset", "nakPending"),
            Seeds.of(200).from(30)),
    COUNTS_ON_FROM_THE_LIFE_BEFORE(Patch.withoutSetting("queue.RcResponder", "startAt", "msn")),
    SILENT_SLOTS_COME_BACK_IN_ANOTHER_LIFE(Patch.withoutSetting("queue.SendQueue", "reset", "silentSlots")),

    // Beyond a bound.
    DUPLICATES_ARE_UNBOUNDED(
            new Patch("queue.Duplicates", "hasRoom", Wrongs.SaysYes.class),
            Seeds.of(200).from(30)),
    A_RESIZE_IGNORES_WHAT_IS_UNDER_WAY(Patch.without("completion.CompletionRing", "resize", "size")),

    // When a completion queue is moderated.
    A_PERIOD_BEGINS_WITH_EACH_ENTRY(
            new Patch("completion.Notification", "written", CompletionBugs.BeginsThePeriodAnew.class)),
    A_PERIOD_ENDS_UNNOTICED(Patch.without("completion.CompletionQueueActor", "completed", "rearm")),
    NO_ENTRY_COUNTS(Patch.withoutReading("completion.Notification", "written", "count")),

    // Who asks what has failed.
    A_FAILED_SHARED_RECEIVE_QUEUE_IS_SILENT(
            Patch.without("srq.SharedReceiveActor", "take", "nothingToTake"),
            Seeds.of(200).with(Swarm.DISASTER));

    private final Patch patch;
    private final Hunt hunt;

    /** Found by mixed traffic over wires that disturb it. */
    StateBug(Patch patch) {
        this(patch, Seeds.of(200));
    }

    StateBug(Patch patch, Hunt hunt) {
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
