// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.hcaactors.actors.completion.CompletionQueueBugs;
import org.hcaactors.actors.device.DeviceBugs;
import org.hcaactors.actors.event.EventBugs;
import org.hcaactors.actors.queue.LifeBugs;
import org.hcaactors.actors.srq.SharedReceiveBugs;
import org.hcaactors.adapter.completion.CompletionBugs;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of life and death: what is created, closed, crashes and goes, and what is kept of it. */
public enum LifeBug implements Planted {
    // Memory.
    KEEPS_CLOSED_MEMORY_MAPPED("host.HostBuffers", "unmap", Wrongs.DoesNothing.class),
    KEEPS_THE_MEMORY_OF_THE_DEAD("host.AddressSpace", "close", Wrongs.DoesNothing.class),
    KEEPS_ITS_PIN("host.Pin", "release", Wrongs.DoesNothing.class),
    UNMAPS_UNDER_REGIONS("host.HostBuffers", "close", UnmapsUnderRegions.class),
    KEEPS_LEASES_AT_ITS_END("lease.LeaseCache", "releaseAll", Wrongs.FindsNone.class),
    KEEPS_A_REVOKED_LEASE("lease.LeaseCache", "revoke", Wrongs.FindsNothing.class),
    TAKES_NOTHING_BACK_FROM_THE_DEAD("key.Translation", "died", Wrongs.DoesNothing.class),

    // Creation beside the end of what it needs.
    USES_A_CLOSED_COMPLETION_QUEUE(
            "completion.CompletionQueueHandle", "attach", CompletionQueueBugs.UsesAClosedQueue.class),
    USES_A_CLOSED_SHARED_RECEIVE_QUEUE("srq.SharedReceiveHandle", "attach", SharedReceiveBugs.UsesAClosedQueue.class),
    USES_A_CLOSED_CHANNEL("event.CompletionChannelHandle", "attach", EventBugs.UsesAClosedChannel.class),
    CREATES_IN_WHAT_IS_CLOSED("device.OpenObjects", "begin", DeviceBugs.CreatesInWhatIsClosed.class),
    CLOSES_BESIDE_A_CREATION("device.OpenObjects", "noneUnderWay", DeviceBugs.WaitsForNoCreation.class),
    WAITS_FOR_A_CREATION_THAT_THREW("device.ContextHandle", "begun", DeviceBugs.LeavesWhatThrew.class),
    TAKES_WHAT_IS_NOT_ITS_OWN("device.ContextHandle", "own", DeviceBugs.TakesWhatIsNotItsOwn.class),
    CLOSES_BUSY_DOMAINS("device.OpenObjects", "removeDomain", DeviceBugs.ClosesBusyDomains.class),
    DESTROYS_BUSY_COMPLETION_QUEUES("completion.CompletionQueueActor", "destroy", ForgetsItsUsers.class),
    DESTROYS_BUSY_SHARED_RECEIVE_QUEUES("srq.SharedReceiveActor", "destroy", ForgetsItsUsers.class),
    NEVER_LEAVES_ITS_COMPLETION_QUEUE("completion.CompletionQueueHandle", "detach", Wrongs.DoesNothing.class),
    NEVER_LEAVES_ITS_SHARED_RECEIVE_QUEUE("srq.SharedReceiveHandle", "detach", Wrongs.DoesNothing.class),
    NEVER_LEAVES_ITS_CHANNEL("event.CompletionChannelHandle", "detach", Wrongs.DoesNothing.class),
    LEAVES_A_QUEUE_THAT_NOBODY_NAMED("device.QueuePairFactory", "discard", Wrongs.DoesNothing.class),
    LETS_THE_DEAD_OPEN_CONTEXTS("device.ProcessHandle", "checkAlive", Wrongs.DoesNothing.class),
    SENDS_BY_DESTROYED_PATHS("queue.PathHandle", "isOpen", Wrongs.SaysYes.class),
    LOSES_ITS_FIRST_CABLE("device.AdapterHandle", "setLink", DeviceBugs.TellsTheFabricItself.class),

    // Who waits.
    DIES_OF_A_CRASH("stage.Survivor", "survive", Dies.class, () -> Seeds.of(200).with(Swarm.DISASTER)),
    CLOSES_A_NETWORK_TWICE("network.RdmaNetwork", "firstOf", Wrongs.AnswersWithTheArgument.class),
    /** Who once asked to be told of the end of a drain is told of every one. */
    TELLS_EVERY_DRAIN(Patch.withoutSetting("state.QueuePairMachine", "apply", "notifyWhenDrained")),
    APPLIES_WHAT_IS_REFUSED("state.QueuePairMachine", "modify", LifeBugs.AppliesWhatIsRefused.class),
    READS_EMPTY_ELEMENTS("queue.InlinePosting", "copy", LifeBugs.ReadsEmptyElements.class),
    /** A receive that is posted in ERR stands there until something else happens. */
    STAYS_SILENT_IN_ERROR(Patch.without("queue.WorkQueues", "entered", "listen")),

    // Completions on their way.
    FAILS_WHERE_NOTHING_CAN_BE_OVERWRITTEN(
            "completion.CompletionQueueMachine", "write", CompletionBugs.FailsWhereNothingCanBeOverwritten.class),
    GIVES_BACK_WHAT_WAS_PURGED("completion.Underway", "takeBack", CompletionBugs.GivesBackWhatWasPurged.class),
    GIVES_NOTHING_BACK("completion.CompletionRing", "giveBack", Wrongs.DoesNothing.class),
    PURGES_NOTHING("completion.CompletionRing", "purge", Wrongs.DoesNothing.class),
    KEEPS_THE_SLOTS_OF_WHAT_IT_PURGED("completion.Feed", "purge", CompletionBugs.KeepsTheSlots.class),
    FORGETS_DEMAND(
            "stream.Poller",
            "demanded",
            ForgetsDemand.class,
            () -> Seeds.of(400).from(40)),
    FORGETS_THE_NEXT_SUBSCRIBER("stream.Poller", "returned", ForgetsTheNext.class),
    STOPS_FOR_A_STALE_CHILD(
            "stream.Poller",
            "wasTold",
            TakesEveryChildForTheLast.class,
            () -> Seeds.of(600).from(105)),

    // What is kept.
    NUMBERS_DO_NOT_REST("number.NumberSpace", "free", NumbersDoNotRest.class),
    HANDS_OUT_A_NUMBER_TWICE("number.NumberSpace", "take", HandsOutTwice.class),
    LISTS_WHAT_IS_CLOSED("device.OpenObjects", "remove", Wrongs.DoesNothing.class);

    private final Patch patch;
    private final Supplier<Hunt> hunt;

    LifeBug(String type, String method, Class<?> advice) {
        this(type, method, advice, () -> Seeds.of(200));
    }

    LifeBug(String type, String method, Class<?> advice, Supplier<Hunt> hunt) {
        this(new Patch(type, method, advice), hunt);
    }

    LifeBug(Patch patch) {
        this(patch, () -> Seeds.of(200));
    }

    LifeBug(Patch patch, Supplier<Hunt> hunt) {
        this.patch = patch;
        this.hunt = hunt;
    }

    @Override
    public Patch patch() {
        return patch;
    }

    @Override
    public Hunt hunt() {
        return hunt.get();
    }

    static final class UnmapsUnderRegions {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue(value = "pins", readOnly = false) Set<?> pins) {
            pins = Set.of();
        }
    }

    static final class ForgetsItsUsers {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("users") Set<?> users) {
            users.clear();
        }
    }

    /** As an actor does that may crash so often and no more, and has done so. */
    static final class Dies {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(2) Throwable crash) {
            throw new OneCrashTooMany(crash);
        }
    }

    /** Not what a patch throws by mistake. */
    public static final class OneCrashTooMany extends RuntimeException {
        public OneCrashTooMany(Throwable crash) {
            super("one crash too many", crash);
        }
    }

    static final class ForgetsDemand {
        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue(value = "demand", readOnly = false) long demand) {
            demand = 0;
        }
    }

    static final class ForgetsTheNext {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.FieldValue(value = "next", readOnly = false, typing = Assigner.Typing.DYNAMIC) Object next) {
            next = null;
        }
    }

    /** Whichever child has ended. */
    static final class TakesEveryChildForTheLast {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("telling") List<?> telling, @Advice.Return(readOnly = false) boolean told) {
            told |= !telling.isEmpty();
            telling.clear();
        }
    }

    /** What is freed is the next to be given out. */
    static final class NumbersDoNotRest {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) int number, @Advice.FieldValue(value = "next", readOnly = false) int next) {
            next = number;
        }
    }

    /** One in eight is given out again at once, whoever uses it. */
    static final class HandsOutTwice {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.FieldValue("used") Map<?, ?> used,
                @Advice.FieldValue(value = "next", readOnly = false) int next) {
            if (next % 8 == 0) {
                next--;
                used.clear();
            }
        }
    }
}
