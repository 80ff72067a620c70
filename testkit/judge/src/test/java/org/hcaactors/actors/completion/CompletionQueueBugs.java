// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.completion;

import net.bytebuddy.asm.Advice;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.completion.CqUser;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs of this package. */
public final class CompletionQueueBugs {
    private CompletionQueueBugs() {}

    /** Ignores that the queue may be closing. */
    public static final class UsesAClosedQueue {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.Argument(0) CqUser user,
                @MarkedField("completion-queue-handle.door")
                        CommandSender<CompletionQueueActor.Command> commandSender) {
            commandSender.actor().tell(new CompletionQueueActor.Attach(user));
            return true;
        }
    }
}
