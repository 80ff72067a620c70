// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.adapter.completion;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.flow.Reason;
import org.hcaactors.judge.planted.MarkedField;

/** What the methods of this room do wrong while a bug is planted. */
public final class CompletionBugs {
    private CompletionBugs() {}

    /** What completions carry is copied when they come in. */
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

    /** Where every entry is on its way to the subscriber, there was none to overwrite, and that was an overrun. */
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

    /** Whether the queue pair was reset meanwhile is not looked at. */
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

    /** The entries go, and what they held in their work queue stays taken. */
    public static final class KeepsTheSlots {
        @Advice.OnMethodEnter
        static void enter(@MarkedField(value = "feed.slots", readOnly = false) int slots) {
            slots = 0;
        }
    }

    /** What has come since the first entry does not count. */
    public static final class BeginsThePeriodAnew {
        @Advice.OnMethodEnter
        static void enter(@MarkedField(value = "notification.deadline", readOnly = false) long deadline) {
            deadline = Notification.NEVER;
        }
    }
}
