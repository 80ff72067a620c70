package org.hcaactors.adapter.queue;

import net.bytebuddy.asm.Advice;
import org.hcaactors.fabric.packet.Psn;

/** What a requester is patched with, inside its room. */
public final class RequesterBugs {
    private RequesterBugs() {}

    public static final class OneAboveTheLast {
        public static int sentEnd(SendQueue queue) {
            return Psn.plus(queue.sentEnd(), 1);
        }
    }

    /** As if a few more packets had been acknowledged. */
    public static final class UsesEarly {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 0, readOnly = false) int psn) {
            psn = Psn.plus(psn, 16);
        }
    }
}
