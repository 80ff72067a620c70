// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.queue;

import net.bytebuddy.asm.Advice;
import org.hcaactors.adapter.work.QpSettings;
import org.hcaactors.api.memory.LocalSlice;
import org.hcaactors.api.queue.QpModify;
import org.hcaactors.api.work.WorkRequest;
import org.hcaactors.judge.planted.MarkedField;

/** What a queue pair does wrong at its end, or when it is told something, while a bug is planted. */
public final class LifeBugs {
    private LifeBugs() {}

    /** What a refused call wanted stays. */
    public static final class AppliesWhatIsRefused {
        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(0) QpModify change, @MarkedField("queue-pair-machine.settings") QpSettings settings) {
            settings.apply(change.attributes());
        }
    }

    /** Empty or not, an element must be mapped. */
    public static final class ReadsEmptyElements {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) WorkRequest work, @Advice.Argument(3) QueuePairCommands door) {
            for (LocalSlice slice : work.local()) {
                if (slice.lengthBytes() == 0) {
                    door.readMemory(slice.address(), new byte[1], 0, 1);
                }
            }
        }
    }
}
