// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs of this package. */
public final class CompletionBugs {
    private CompletionBugs() {}

    /** Copies inline data when the completion is delivered. */
    public static final class CopiesAtDelivery {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) Completions batch) {
            copied(batch);
        }
    }

    static void copied(Completions batch) {
        for (int i = 0; i < batch.entries().length; i++) {
            batch.at(i).polled();
        }
    }

    /** Treats it as an overrun if all entries are on their way to the subscriber and none can be overwritten. */
    public static final class FailsWhereNothingCanBeOverwritten {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.This CompletionQueueMachine machine,
                @Advice.Argument(2) CqEffects effects,
                @MarkedField("completion-queue-machine.rules") CompletionQueueMachine.Rules rules,
                @MarkedField("completion-queue-machine.ring") CompletionRing ring) {
            if (rules.ignoreOverrun() && ring.room() == 0 && ring.size() == 0) {
                effects.overrun(new Reason.Unknown("every entry is on its way"));
                machine.fail(effects);
            }
        }
    }

    /** Ignores whether the queue pair was reset meanwhile. */
    public static final class GivesBackWhatWasPurged {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) List<Cqe> back) {
            back = revived(back);
        }
    }

    static List<Cqe> revived(List<Cqe> back) {
        List<Cqe> all = new ArrayList<>();
        for (Cqe cqe : back) {
            WorkQueueFeed workQueue = cqe.workQueue().isPurged() ? new WorkQueueFeed(slots -> {}) : cqe.workQueue();
            all.add(new Cqe(cqe.entry(), workQueue, cqe.slots(), cqe.solicited()));
        }
        return all;
    }

    /** Removes the entries without freeing their work queue slots. */
    public static final class KeepsTheSlots {
        @Advice.OnMethodEnter
        static void enter(@MarkedField(value = "work-queue-feed.slots", readOnly = false) int slots) {
            slots = 0;
        }
    }

    /** Begins the moderation period again with each entry. */
    public static final class BeginsThePeriodAnew {
        @Advice.OnMethodEnter
        static void enter(@MarkedField(value = "notification.deadline", readOnly = false) long deadline) {
            deadline = Notification.NEVER;
        }
    }
}
