// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.judge.planted;

import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.completion.CompletionBugs;
import org.hcaactors.adapter.inline.InlineCopier;
import org.hcaactors.adapter.inline.InlineData;
import org.hcaactors.api.completion.WorkCompletion;
import org.hcaactors.fabric.packet.Octets;
import org.hcaactors.judge.sweep.WorkloadKind;
import org.hcaactors.lab.fault.Swarm;
import org.jspecify.annotations.Nullable;

/** Bugs of data in completions. */
public enum InlineBug implements Planted {
    COPIES_AT_DELIVERY(
            "completion-queue-machine.completed",
            CompletionBugs.CopiesAtDelivery.class,
            Hunt.of(WorkloadKind.INLINE_DATA).withSeeds(40)),
    COPIES_TWICE(
            "feed.carrying.landed",
            Again.class,
            Hunt.of(WorkloadKind.INLINE_DATA).under(Swarm.WIRE)),
    /** On one side only. */
    FORGETS_THE_REQUESTER(
            "send-ledger.report",
            Loses.class,
            Hunt.of(WorkloadKind.INLINE_DATA).under(Swarm.WIRE).withSeeds(40)),
    CALLS_A_COPY_THAT_FAILED_A_SUCCESS(
            "process-inline-copier.failed", SaysSuccess.class, Hunt.of(WorkloadKind.INLINE_DATA)),
    /** Keeps an array that is reused, in worlds that keep no packets. */
    CARRIES_THE_PACKETS_OWN_BYTES(
            "turn.load",
            KeepsThePacket.class,
            Hunt.of(WorkloadKind.INLINE_DATA).unwatched().withSeeds(40));

    private final Bug bug;

    InlineBug(String point, Class<?> advice, Hunt hunt) {
        bug = new Bug(new Patch(point, advice), hunt);
    }

    @Override
    public Bug bug() {
        return bug;
    }

    static final class Again {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) WorkCompletion entry,
                @Advice.Argument(1) InlineData inlineData,
                @MarkedField("feed.carrying.landing") InlineCopier copier) {
            copier.copy(entry, inlineData);
        }
    }

    static final class Loses {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 2, readOnly = false) @Nullable InlineData inlineData) {
            inlineData = null;
        }
    }

    static final class SaysSuccess {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) WorkCompletion entry, @Advice.Return(readOnly = false) WorkCompletion answer) {
            answer = entry;
        }
    }

    static final class KeepsThePacket {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(2) Octets payload, @Advice.Return(readOnly = false) InlineData inlineData) {
            inlineData = new InlineData(inlineData.to(), payload, inlineData.event());
        }
    }
}
