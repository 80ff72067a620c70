package org.hcaactors.adapter.completion;

import net.bytebuddy.asm.Advice;

/** What a completion queue is patched with, inside its room. */
public final class RingBugs {
    private RingBugs() {}

    /** A queue that ignores overruns finds no entry to drop. */
    public static final class FailsWithAllUnderWay {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.This CompletionQueueMachine machine,
                @Advice.FieldValue("ring") CompletionRing ring,
                @Advice.FieldValue("rules") CompletionQueueMachine.Rules rules,
                @Advice.Argument(2) CqEffects effects) {
            boolean overrun = rules.ignoreOverrun() && ring.room() == 0 && ring.size() == 0;
            if (overrun) {
                machine.fail(effects);
            }
            return overrun;
        }
    }
}
