// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.srq;

import net.bytebuddy.asm.Advice;
import org.hcaactors.actors.stage.CommandSender;
import org.hcaactors.adapter.srq.SrqUser;
import org.hcaactors.judge.planted.MarkedField;

/** Advice for planted bugs of this package. */
public final class SharedReceiveBugs {
    private SharedReceiveBugs() {}

    /** Ignores that the queue may be closing. */
    public static final class UsesAClosedQueue {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(
                @Advice.Argument(0) SrqUser user,
                @MarkedField("shared-receive-handle.door") CommandSender<SharedReceiveActor.Command> commandSender) {
            commandSender.actor().tell(new SharedReceiveActor.Attach(user));
            return true;
        }
    }
}
