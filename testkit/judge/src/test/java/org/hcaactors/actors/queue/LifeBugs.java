// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs at a queue pair's end or in its verbs. */
public final class LifeBugs {
    private LifeBugs() {}

    /** Applies the attributes of a refused call. */
    public static final class AppliesWhatIsRefused {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) QpModify change, @MarkedField("queue-pair-machine.settings") QpSettings settings) {
            settings.apply(change.attributes());
        }
    }

    /** Requires an element to be mapped even if it is empty. */
    public static final class ReadsEmptyElements {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) WorkRequest work, @Advice.Argument(3) QueuePairCommands commands) {
            for (LocalSlice slice : work.local()) {
                if (slice.lengthBytes() == 0) {
                    commands.readMemory(slice.address(), new byte[1], 0, 1);
                }
            }
        }
    }
}
