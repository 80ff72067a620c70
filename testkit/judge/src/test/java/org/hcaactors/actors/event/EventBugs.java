// SPDX-License-Identifier: Apache-2.0
package org.hcaactors.actors.event;

import net.bytebuddy.asm.Advice;

/** Advice for planted bugs of this package. */
public final class EventBugs {
    private EventBugs() {}

    /** Ignores that the channel may be closing. */
    public static final class UsesAClosedChannel {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.This CompletionChannelHandle channel) {
            channel.commandSender().actor().tell(new EventQueueActor.Users<>(1));
            return true;
        }
    }
}
