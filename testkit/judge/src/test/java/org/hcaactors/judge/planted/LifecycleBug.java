// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.asm.Advice;
import org.hcaactors.actors.completion.CompletionQueueBugs;
import org.hcaactors.actors.device.DeviceBugs;
import org.hcaactors.actors.event.EventBugs;
import org.hcaactors.actors.queue.LifeBugs;
import org.hcaactors.actors.srq.SharedReceiveBugs;
import org.hcaactors.adapter.completion.CompletionBugs;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;

/** Bugs of life and death: what is created, closed, crashes and goes, and what is kept of it. */
public enum LifecycleBug implements Planted {
    // Memory.
    KEEPS_CLOSED_MEMORY_MAPPED("host-buffers.unmap", CommonAdvice.DoesNothing.class, Hunt.of(WorkloadKind.EXACT_FIT_RECEIVES)),
    KEEPS_THE_MEMORY_OF_THE_DEAD(
            "address-space.close",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.AS_NOTIFY).under(Swarm.WIRE)),
    KEEPS_ITS_PIN(
            "pin.release",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS).under(Swarm.WIRE)),
    UNMAPS_UNDER_REGIONS(
            "host-buffers.close",
            UnmapsUnderRegions.class,
            Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS).under(Swarm.WIRE)),
    KEEPS_LEASES_AT_ITS_END("lease-cache.release-all", CommonAdvice.FindsNone.class, Hunt.of(WorkloadKind.EXACT_FIT_RECEIVES)),
    KEEPS_A_REVOKED_LEASE(
            "lease-cache.revoke",
            CommonAdvice.FindsNothing.class,
            Hunt.of(WorkloadKind.LOST_ANSWERS).under(Swarm.WIRE)),
    TAKES_NOTHING_BACK_FROM_THE_DEAD(
            "translation.died",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.CONNECTION_CLOSE_RACES).under(Swarm.HOSTILE)),

    // Creation beside the end of what it needs.
    USES_A_CLOSED_COMPLETION_QUEUE(
            "completion-queue-handle.attach",
            CompletionQueueBugs.UsesAClosedQueue.class,
            Hunt.of(WorkloadKind.OBJECT_DESTROY_RACES).under(Swarm.WIRE)),
    USES_A_CLOSED_SHARED_RECEIVE_QUEUE(
            "shared-receive-handle.attach",
            SharedReceiveBugs.UsesAClosedQueue.class,
            Hunt.of(WorkloadKind.OBJECT_DESTROY_RACES)),
    USES_A_CLOSED_CHANNEL(
            "completion-channel-handle.attach",
            EventBugs.UsesAClosedChannel.class,
            Hunt.of(WorkloadKind.OBJECT_DESTROY_RACES).under(Swarm.WIRE)),
    CREATES_IN_WHAT_IS_CLOSED(
            "open-objects.begin", DeviceBugs.CreatesInWhatIsClosed.class, Hunt.of(WorkloadKind.OBJECT_DESTROY_RACES)),
    CLOSES_BESIDE_A_CREATION(
            "open-objects.none-under-way",
            DeviceBugs.WaitsForNoCreation.class,
            Hunt.of(WorkloadKind.SCARCE_PAGES).under(Swarm.WIRE)),
    WAITS_FOR_A_CREATION_THAT_THREW(
            "context-handle.begun",
            DeviceBugs.LeavesWhatThrew.class,
            Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS).under(Swarm.WIRE)),
    TAKES_WHAT_IS_NOT_ITS_OWN(
            "context-handle.own",
            DeviceBugs.TakesWhatIsNotItsOwn.class,
            Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS).under(Swarm.WIRE)),
    CLOSES_BUSY_DOMAINS(
            "open-objects.remove-domain",
            DeviceBugs.ClosesBusyDomains.class,
            Hunt.of(WorkloadKind.OBJECT_DESTROY_RACES).under(Swarm.WIRE)),
    DESTROYS_BUSY_COMPLETION_QUEUES(
            "completion-queue-actor.destroy",
            ForgetsItsUsers.class,
            Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS).under(Swarm.WIRE)),
    DESTROYS_BUSY_SHARED_RECEIVE_QUEUES(
            "shared-receive-actor.destroy",
            ForgetsItsUsers.class,
            Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS).under(Swarm.WIRE)),
    NEVER_LEAVES_ITS_COMPLETION_QUEUE(
            "completion-queue-handle.detach",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.EXTREME_ATTRIBUTES).under(Swarm.WIRE)),
    NEVER_LEAVES_ITS_SHARED_RECEIVE_QUEUE(
            "shared-receive-handle.detach",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.XRC_QUEUES).under(Swarm.WIRE)),
    NEVER_LEAVES_ITS_CHANNEL(
            "completion-channel-handle.detach",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS).under(Swarm.WIRE)),
    LEAVES_A_QUEUE_THAT_NOBODY_NAMED(
            "queue-pair-factory.discard",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS).under(Swarm.WIRE)),
    LETS_THE_DEAD_OPEN_CONTEXTS(
            "process-handle.check-alive",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS).under(Swarm.WIRE)),
    SENDS_BY_DESTROYED_PATHS(
            "path-handle.is-open",
            CommonAdvice.SaysYes.class,
            Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS).under(Swarm.WIRE)),
    LOSES_ITS_FIRST_CABLE(
            "adapter-handle.set-link",
            DeviceBugs.TellsTheFabricItself.class,
            Hunt.of(WorkloadKind.HOT_PLUGGED_ADAPTERS).under(Swarm.WIRE)),

    // Who waits.
    DIES_OF_A_CRASH(
            "crash-supervisor.survive",
            Dies.class,
            Hunt.of(WorkloadKind.MODIFIED).under(Swarm.DISASTER).withSeeds(100)),
    CLOSES_A_NETWORK_TWICE(
            "rdma-network.first-of",
            CommonAdvice.AnswersWithTheArgument.class,
            Hunt.of(WorkloadKind.SHORT_TIMEOUT_READS).under(Swarm.WIRE)),
    /** Who once asked to be told of the end of a drain is told of every one. */
    TELLS_EVERY_DRAIN(
            Patch.withoutSetting("queue-pair-machine.apply", "qp-settings.notify-when-drained"),
            Hunt.of(WorkloadKind.DRAINS)),
    APPLIES_WHAT_IS_REFUSED(
            "queue-pair-machine.modify", LifeBugs.AppliesWhatIsRefused.class, Hunt.of(WorkloadKind.MODIFIED)),
    READS_EMPTY_ELEMENTS(
            "inline-posting.copy", LifeBugs.ReadsEmptyElements.class, Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS)),
    /** A receive that is posted in ERR stands there until something else happens. */
    STAYS_SILENT_IN_ERROR(
            Patch.without("work-queues.entered", "work-ring.listen"),
            Hunt.of(WorkloadKind.VERBS).under(Swarm.HOSTILE).withSeeds(200)),

    // Completions on their way.
    FAILS_WHERE_NOTHING_CAN_BE_OVERWRITTEN(
            "completion-queue-machine.write",
            CompletionBugs.FailsWhereNothingCanBeOverwritten.class,
            Hunt.of(WorkloadKind.SHORT_SUBSCRIPTIONS).withSeeds(40)),
    GIVES_BACK_WHAT_WAS_PURGED(
            "granted-entries.take-back",
            CompletionBugs.GivesBackWhatWasPurged.class,
            Hunt.of(WorkloadKind.SHORT_SUBSCRIPTIONS).under(Swarm.HOSTILE)),
    GIVES_NOTHING_BACK(
            "completion-ring.give-back",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.SHORT_SUBSCRIPTIONS).under(Swarm.HOSTILE)),
    PURGES_NOTHING("completion-ring.purge", CommonAdvice.DoesNothing.class, Hunt.of(WorkloadKind.SHORT_SUBSCRIPTIONS)),
    KEEPS_THE_SLOTS_OF_WHAT_IT_PURGED(
            "work-queue-feed.purge", CompletionBugs.KeepsTheSlots.class, Hunt.of(WorkloadKind.VERB_ERRNO_CHECKS)),
    FORGETS_DEMAND(
            "poller.demanded",
            ForgetsDemand.class,
            Hunt.of(WorkloadKind.AS_NOTIFY).under(Swarm.WIRE).withSeeds(40)),
    FORGETS_THE_NEXT_SUBSCRIBER("poller.returned", ForgetsTheNext.class, Hunt.of(WorkloadKind.CQ_DESTROY_RACES)),
    STOPS_FOR_A_STALE_CHILD("poller.was-told", TakesEveryChildForTheLast.class, Hunt.of(WorkloadKind.CQ_DESTROY_RACES)),

    // What is kept.
    NUMBERS_DO_NOT_REST(
            "number-space.free",
            NumbersDoNotRest.class,
            Hunt.of(WorkloadKind.OBJECT_DESTROY_RACES).under(Swarm.WIRE)),
    HANDS_OUT_A_NUMBER_TWICE(
            "number-space.take",
            HandsOutTwice.class,
            Hunt.of(WorkloadKind.AS_NOTIFY).under(Swarm.WIRE)),
    LISTS_WHAT_IS_CLOSED(
            "open-objects.remove",
            CommonAdvice.DoesNothing.class,
            Hunt.of(WorkloadKind.LOST_ANSWERS).under(Swarm.WIRE));

    private final Bug bug;

    LifecycleBug(String point, Class<?> advice, Hunt hunt) {
        this(new Patch(point, advice), hunt);
    }

    LifecycleBug(Patch patch, Hunt hunt) {
        bug = new Bug(patch, hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }

    static final class UnmapsUnderRegions {
        @Advice.OnMethodEnter
        static void enter(@MarkedField(value = "host-buffers.pins", readOnly = false) Set<?> pins) {
            pins = Set.of();
        }
    }

    static final class ForgetsItsUsers {
        @Advice.OnMethodEnter
        static void enter(@MarkedField("queue-actor.users") Set<?> users) {
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
        static void enter(@MarkedField(value = "poller.demand", readOnly = false) long demand) {
            demand = 0;
        }
    }

    static final class ForgetsTheNext {
        @Advice.OnMethodEnter
        static void enter(@MarkedField(value = "poller.next", readOnly = false) Object next) {
            next = null;
        }
    }

    /** Whichever child has ended. */
    static final class TakesEveryChildForTheLast {
        @Advice.OnMethodExit
        static void exit(
                @MarkedField("poller.telling") List<?> telling, @Advice.Return(readOnly = false) boolean told) {
            told |= !telling.isEmpty();
            telling.clear();
        }
    }

    /** What is freed is the next to be given out. */
    static final class NumbersDoNotRest {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) int number, @MarkedField(value = "number-space.next", readOnly = false) int next) {
            next = number;
        }
    }

    /** One in eight is given out again at once, whoever uses it. */
    static final class HandsOutTwice {
        @Advice.OnMethodEnter
        static void enter(
                @MarkedField("number-space.used") Map<?, ?> used,
                @MarkedField(value = "number-space.next", readOnly = false) int next) {
            if (next % 8 == 0) {
                next--;
                used.clear();
            }
        }
    }
}
